"""The lesson of Turncoat: what a selection turns and traps, on both boards, up to an all black one."""

from service.domain.games.turncoat.model import Options
from service.domain.presentation import Lesson, Step

LESSON = Lesson(
    options=Options(start="lesson"),
    steps=(
        Step(
            text=(
                "You are red. Turn your board all black before Yellow does. In each round, both select a disc in "
                "secret. Select the white disc on H8, then commit."
            ),
            before="yellow f3 !",
            solutions=("h8 !",),
            shows=({"type": "turned", "board": "red", "half": 1, "at": "h8", "to": "B", "trapped": ()},),
            hint="H8 is the upper right corner. Choose it, then press Commit H8.",
            praise="H8 is black. Then Yellow's F3 was turned on your board, too: it became white and trapped two.",
        ),
        Step(
            text=(
                "A turned disc traps rows of the other colour up to a disc of its new colour. Select D2: the white "
                "row above it ends at black D8 and turns black, too."
            ),
            before="yellow e2 !",
            solutions=("d2 !",),
            shows=(
                {
                    "type": "turned",
                    "board": "red",
                    "half": 1,
                    "at": "d2",
                    "to": "B",
                    "trapped": ("d3", "d4", "d5", "d6", "d7", "e3", "e2"),
                },
            ),
            hint="D2 is in the second row from below. Choose it, then press Commit D2.",
            praise="Seven discs trapped in three directions. In the second half, Yellow's E2 turned a few back.",
        ),
        Step(
            text=(
                "Your selection is turned on Yellow's board as well. F3 is white on yours, but black on Yellow's: "
                "it helps you and hurts Yellow. Select it."
            ),
            before="yellow b2 !",
            solutions=("f3 !",),
            shows=(
                {"type": "turned", "board": "red", "half": 1, "at": "f3", "to": "B", "trapped": ("e3", "e4")},
                {"type": "turned", "board": "yellow", "half": 2, "at": "f3", "to": "W"},
            ),
            hint="F3 is to the right of your white E3. Choose it, then press Commit F3.",
            praise="Good for you, bad for Yellow: that is a strong selection.",
        ),
        Step(
            text=(
                "A row that ends at a blank or at the edge is not trapped: E2 would trap nothing, because A2 is "
                "blank. Select the disc that traps the whole row up to F2."
            ),
            before="yellow e1 !",
            solutions=("b2 !",),
            shows=({"type": "turned", "board": "red", "half": 1, "at": "b2", "trapped": ("c2", "d2", "e2")},),
            hint="Begin at the other end of the row: choose B2, beside the blank, then press Commit B2.",
            praise="From B2 the row ends at black F2, so all of it turned.",
        ),
        Step(
            text=(
                "Only the bottom row is white. A board without white wins at once, even before the opponent's "
                "selection counts. Which disc traps all the others?"
            ),
            before="yellow d5 !",
            solutions=("a1 !",),
            shows=({"type": "turned", "board": "red", "half": 1, "at": "a1", "trapped": ("b1", "c1", "d1", "e1")},),
            hint="The row ends at black F1. Begin at the other end, in the corner: A1.",
            praise="All black: you have won. If both boards turn black in the same half, the match is a draw.",
        ),
    ),
)
