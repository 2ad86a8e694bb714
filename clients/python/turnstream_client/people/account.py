"""The player's account: named tokens, codes for other devices, and blocked and reported players."""

from urllib.parse import quote

from turnstream_client.requests import Requests
from turnstream_client.schema import (
    BlockList,
    LetIn,
    MadeLinkCode,
    MadeRecoveryCode,
    MadeToken,
    ReportRequest,
    TokenList,
    TokenRequest,
    UsedLinkCode,
    UsedRecoveryCode,
)

TOKENS = "/v1/players/me/tokens"
BLOCKS = "/v1/players/me/blocks"


class Account:
    """`client.account`. Every method raises `RefusedError` and `UnreachableError`."""

    def __init__(self, requests: Requests) -> None:
        """Send requests as this player; `Client` does this."""
        self._requests = requests

    # Tokens

    async def tokens(self) -> TokenList:
        """Return the player's named tokens, the oldest first, without their secrets."""
        found: TokenList = await self._requests.get(TOKENS, TokenList)
        return found

    async def make_token(self, request: TokenRequest) -> MadeToken:
        """Create a token for another program, such as `TokenRequest("My bot", ["read", "play"])`. It is shown once."""
        made: MadeToken = await self._requests.post_without_key(TOKENS, request, MadeToken)
        return made

    async def revoke_token(self, token: str) -> None:
        """Revoke a token, by its id in the list."""
        await self._requests.delete(f"{TOKENS}/{quote(token, safe='')}")

    async def sign_out_elsewhere(self) -> None:
        """Revoke all tokens except the current one; if that is a named token, also the guest token."""
        await self._requests.delete(TOKENS)

    # Codes

    async def make_link_code(self) -> MadeLinkCode:
        """Create a code with which another device can sign in, once and within five minutes."""
        made: MadeLinkCode = await self._requests.post_without_key("/v1/players/me/link_codes", {}, MadeLinkCode)
        return made

    async def use_link_code(self, code: str, name: str | None = None) -> LetIn:
        """Become the player who created the code; `name` is that of the new token."""
        used = UsedLinkCode(code) if name is None else UsedLinkCode(code, name)
        return await self._enter("/v1/link_codes", used)

    async def make_recovery_code(self) -> MadeRecoveryCode:
        """Create the code that recovers a lost player. It replaces an earlier one."""
        path = "/v1/players/me/recovery_code"
        made: MadeRecoveryCode = await self._requests.post_without_key(path, {}, MadeRecoveryCode)
        return made

    async def use_recovery_code(self, code: str, name: str | None = None) -> LetIn:
        """Become the player of the code again. All earlier tokens are revoked, and the code is used up."""
        used = UsedRecoveryCode(code) if name is None else UsedRecoveryCode(code, name)
        return await self._enter("/v1/recovery", used)

    async def _enter(self, path: str, used: UsedLinkCode | UsedRecoveryCode) -> LetIn:
        let_in: LetIn = await self._requests.post_without_key(path, used, LetIn)
        self._requests.become(let_in)
        return let_in

    # Blocks

    async def blocks(self) -> BlockList:
        """Return the players whom this one has blocked, the earliest first."""
        found: BlockList = await self._requests.get(BLOCKS, BlockList)
        return found

    async def block(self, player: str) -> None:
        """Block a player: no seeks, challenges and lines of chat between the two."""
        await self._requests.put(f"{BLOCKS}/{quote(player, safe='')}", {}, None)

    async def unblock(self, player: str) -> None:
        """End a block; nothing happens if there is none."""
        await self._requests.delete(f"{BLOCKS}/{quote(player, safe='')}")

    async def report(self, report: ReportRequest) -> None:
        """Report a player to the operators of the service, who alone can read it."""
        await self._requests.post("/v1/reports", report, None)

    # Erasure

    async def erase(self, player: str) -> None:
        """Erase the player permanently: name, lines and account; their matches are kept. Their own id confirms it."""
        await self._requests.delete(f"/v1/players/{quote(player, safe='')}")
