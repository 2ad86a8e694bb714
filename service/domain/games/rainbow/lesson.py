"""The lesson of Tic-Tac-Rainbow: the three kinds of turns, a gift that should not be made, and a line."""

from service.domain.games.rainbow.model import Options
from service.domain.presentation import Lesson, Step

LESSON = Lesson(
    options=Options(),
    steps=(
        Step(
            text=(
                "Your pegs have a colour on each side. In a turn you place one, flip one or move one. "
                "Place the red and orange peg on C3, with red up."
            ),
            solutions=("RO:R@c3",),
            shows=({"type": "placed", "peg": "RO", "side": "R", "at": "c3"},),
            hint="Choose the red half of the red and orange peg, then the cell in the middle, C3.",
            praise="The lower side is not secret: everyone sees which colour is underneath.",
        ),
        Step(
            text="You can flip a peg of yours on its cell. Choose the peg on C3, then Flip: it becomes orange.",
            before="two GB:G@b2",
            solutions=("~c3",),
            shows=({"type": "flipped", "at": "c3", "side": "O"},),
            hint="Choose your peg on C3, then press Flip.",
            praise="A flip changes the colour at once. It can complete a line, and it can break one.",
        ),
        Step(
            text="You can also move a peg of yours to any empty cell. The same side stays up. Move it from C3 to C5.",
            before="two YG:Y@e2",
            solutions=("c3-c5",),
            shows=({"type": "moved", "from": "c3", "to": "c5", "side": "O"},),
            hint="Choose your peg on C3, then the top cell of its column, C5. Or drag it there.",
            praise="Pegs never leave the board, but they travel far.",
        ),
        Step(
            text=(
                "Three cells in a row of one colour win, no matter who owns the pegs. So a pair is a gift! Place the "
                "orange and yellow peg on B4, with the side up that makes no pair."
            ),
            before="two BV:B@b3",
            solutions=("OY:Y@b4",),
            shows=({"type": "placed", "peg": "OY", "side": "Y", "at": "b4"},),
            hint="C5 is orange. With orange on B4, your opponent would complete the line at A3. Place yellow up.",
            praise="Safe. Your opponent would have needed only one orange peg on A3.",
        ),
        Step(
            text=(
                "Your opponent has placed yellow on C3, beside your yellow B4: a gift. Complete the line. You win with "
                "it, although one of its pegs is not yours."
            ),
            before="two OY:Y@c3",
            solutions=("YG:Y@d2",),
            shows=({"type": "placed", "at": "d2", "line": ("b4", "c3", "d2"), "ends": "line"},),
            hint="Choose the yellow half of the yellow and green peg, then D2, on the diagonal of B4 and C3.",
            praise="A yellow line: you have won. White, on the seventh peg, counts as every colour; black as none.",
        ),
    ),
)
