from collections.abc import Callable

class Search:
    def __init__(
        self,
        allow: Callable[[], int],
        weights: bytes,
        seen: list[int],
        repetition: int,
        *,
        one_flies: bool,
        both_fly: bool,
        double_mill: bool,
        removes_all: bool,
        removes_of_three: bool,
    ) -> None: ...
    def rank(self, ranked: list[int], depth: int) -> int: ...
    def reply(self, after: int, depth: int) -> int: ...
