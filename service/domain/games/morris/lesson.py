"""The lesson of Nine Men's Morris: from the first man to the mill that wins."""

from service.domain.games.morris.model import Options
from service.domain.presentation import Lesson, Step

LESSON = Lesson(
    options=Options(flying="off"),
    steps=(
        Step(
            text=(
                "You are white. First both players place nine men, in turn, on empty points. A crossing has the most "
                "neighbours: place a man on D6."
            ),
            solutions=("d6",),
            shows=({"type": "placed", "at": "d6"},),
            hint="D6 is in the middle of the upper side of the second square.",
            praise="Good. From D6 a man can go in four directions later.",
        ),
        Step(
            text=(
                "Three men on a line are a mill. Close the mill on the top line; then you may remove a black man. "
                "Take the one on E4."
            ),
            before="black f2 white a7 black e4 white g7 black c3",
            solutions=("d7 xe4",),
            shows=({"type": "placed", "mills": (("a7", "d7", "g7"),)}, {"type": "removed", "at": "e4"}),
            hint="Place a man on D7, between your two. Then choose the black man on E4.",
            praise="A mill, and Black has lost a man. Men in a mill cannot be removed.",
        ),
        Step(
            text="Be careful: Black has two men on one line and wants to close a mill. Place a man that prevents it.",
            before="black f4",
            solutions=("f6",),
            shows=({"type": "placed", "at": "f6"},),
            hint="Black's men are on F2 and F4. The third point of their line is F6.",
            praise="Blocked! And you have two on the line B6 to F6 yourself.",
        ),
        Step(
            text=(
                "All men are placed; now they move along the lines to the next empty point. Move a man so that a mill "
                "closes, and remove the man on F4."
            ),
            before=(
                "black c4 white b6 xc4 black a1 white a4 black g1 white g4 black b2 white b4 black e5 white d6-d5 "
                "black e5-e4 white d5-c5 black e4-e5"
            ),
            solutions=("d7-d6 xf4",),
            shows=({"type": "moved", "mills": (("b6", "d6", "f6"),)}, {"type": "removed", "at": "f4"}),
            hint="Choose the man on D7, then D6, between B6 and F6. Then choose the black man on F4.",
            praise="The same man can go back to D7 and close the other mill: one man removed in every turn!",
        ),
        Step(
            text=(
                "You went on like that, and Black has three men left. A player with only two men has lost. Close a "
                "mill once more, and remove any man."
            ),
            before=("black e5-e4 white d6-d7 xg1 black e4-e5 white d7-d6 xb2 black e5-e4 white d6-d7 xc3 black e4-e5"),
            solutions=("d7-d6 xa1", "d7-d6 xe5", "d7-d6 xf2", "c5-c4 xa1", "c5-c4 xe5", "c5-c4 xf2"),
            shows=({"type": "removed", "ends": "too_few_men"},),
            hint="Move the man on D7 to D6. Then choose one of the black men.",
            praise="You have won! By the usual rules, men may fly to any point as soon as one player has three.",
        ),
    ),
)
