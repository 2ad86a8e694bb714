from collections.abc import Callable

class Search:
    def __init__(
        self,
        allow: Callable[[], int],
        cells: bytes,
        stride: int,
        weights: bytes,
        ranks: bytes,
        seat: int,
        staying: tuple[bool, bool, bool],
    ) -> None: ...
    def rank(self, owned: bytes, turn: int, moves: list[int], depth: int) -> tuple[int, bool]: ...
    def value(self, owned: bytes, turn: int, depth: int) -> tuple[int, bool]: ...
