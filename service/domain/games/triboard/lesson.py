"""The lesson of Triboard: from one jump to the last one, on a layout that is made for it."""

from service.domain.games.triboard.model import Options
from service.domain.presentation import Lesson, Step

LESSON = Lesson(
    options=Options(first="blue", start="lesson"),
    steps=(
        Step(
            text=(
                "You are blue. From an empty cell you jump over a row of cells of one opponent to a cell of yours. All "
                "of them become blue. Jump over D9 and E9."
            ),
            solutions=("c9",),
            shows=({"type": "placed", "captured": ("d9", "e9")},),
            hint="F9 is blue, at one end of the two red cells. Choose the empty cell at their other end, C9.",
            praise="Three cells more. The empty cell that you chose is yours as well.",
        ),
        Step(
            text=(
                "Red has jumped over your whole row from B9. Take it back: choose the cell from which the row ends at "
                "your H9. At the edge, nobody can jump over it again."
            ),
            before="red b9 green p11",
            solutions=("a9",),
            shows=({"type": "placed", "captured": ("b9", "c9", "d9", "e9", "f9", "g9")},),
            hint="Choose A9, at the edge of the board: from there the row is red up to G9.",
            praise="Six cells! Red and Green cannot jump anywhere now, so they are passed over.",
        ),
        Step(
            text=(
                "One row with both opponents' colours is safe from you. But one jump goes in all directions at once: "
                "find the cell from which you take a red and a green cell."
            ),
            solutions=("l8",),
            shows=({"type": "placed", "captured": ("k8", "m8")},),
            hint="The red cell is K8, the green one M8. Choose the cell between them.",
            praise="One direction took red, the other one green.",
        ),
        Step(
            text=(
                "Grey cells are walls. Nobody jumps over them: from C5, the wall on E5 protects the green cell on D5. "
                "Take D5 from another side."
            ),
            solutions=("d6",),
            shows=({"type": "placed", "captured": ("d5",)},),
            hint="Your D4 is on one side of D5. Choose the empty cell on the other side, D6.",
            praise="A wall protects on one side only. The other seven directions count as well.",
        ),
        Step(
            text=(
                "The match ends when nobody can jump, and most cells win. Make the last jump: one cell from which you "
                "take four red ones, in three directions."
            ),
            solutions=("i1",),
            shows=({"type": "placed", "captured": ("g1", "h1", "j1", "i2")},),
            hint="At the edge, I1 is between the red cells H1 and J1, and I2 beside it is red, too.",
            praise="Nobody can jump now, and you have the most cells: you have won.",
        ),
    ),
)
