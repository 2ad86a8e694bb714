"""The lesson of Ternio: from one captured disc to the end of the match."""

from service.domain.games.ternio.model import Options
from service.domain.presentation import Lesson, Step

LESSON = Lesson(
    options=Options(start="even"),
    steps=(
        Step(
            text=(
                "You are red. A disc captures what is between it and another red disc in a straight line. "
                "Capture the blue disc on D6: a red one on E5 is waiting behind it."
            ),
            solutions=("c7",),
            shows=({"type": "placed", "captured": ("d6",)},),
            hint="Look from E5 through D6 to the next square: that is C7.",
            praise="The blue disc is red now. Every disc that you place has to capture something.",
        ),
        Step(
            text=(
                "One disc captures in all directions at once. Find the square from which you capture a blue disc in "
                "one direction and a green one in another."
            ),
            before="green c6 blue b6",
            solutions=("c5",),
            shows=({"type": "placed", "captured": ("d5", "c6")},),
            hint="From C5, look up to C7 and right to E5: a red disc is waiting at both ends.",
            praise="Two at once! Green cannot capture anything now, so Green is passed over.",
        ),
        Step(
            text=(
                "C4 is blue and D4 green. In one row they protect each other: from B4 nothing turns. Find the square "
                "from which you still capture both, in two directions."
            ),
            before="blue c4",
            solutions=("c3",),
            shows=({"type": "placed", "captured": ("c4", "d4")},),
            hint="Below them is C3: C4 is straight above it, and D4 is on its diagonal.",
            praise="Well seen. A row of two colours never turns; a row of one colour does.",
        ),
        Step(
            text="Look for the move that turns the most discs. There is a square from which you capture four.",
            before="blue g4",
            solutions=("g6",),
            shows=({"type": "placed", "captured": ("f5", "d6", "e6", "f6")},),
            hint="The row D6 to F6 is all blue. Close it on the right, at G6.",
            praise="Three in the row and one on the diagonal. Long rows of one colour are worth waiting for.",
        ),
        Step(
            text=(
                "The match ends when nobody can capture, and most discs win. Blue has six left, and one move takes "
                "them all. Where?"
            ),
            before="blue g5 red h4 blue b5",
            solutions=("a5",),
            shows=({"type": "placed", "captured": ("b5", "c5", "d5", "e5", "f5", "b6")},),
            hint="Close the blue row B5 to F5 on the left, at the edge of the board.",
            praise="All discs are red, and nobody can move: you have won.",
        ),
    ),
)
