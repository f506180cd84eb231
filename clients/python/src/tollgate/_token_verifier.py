"""Passes as bearer tokens of an MCP server over HTTP."""

from __future__ import annotations

import datetime
import importlib
from typing import TYPE_CHECKING

from ._clock import SYSTEM_CLOCK
from .calls import to_async
from .client import AsyncTollgate, Tollgate
from .errors import TollgateError

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken

    from . import types as t

#: A pass without an expiry is asked about again after so many seconds.
_TRUSTED = 300.0


#: The scope of every pass and token.
SPEND_SCOPE = "tollgate:spend"
#: The longest that Tollgate reads.
_TOKEN_LENGTH_MAX = 4_096


class TokenVerifier:
    """Checks bearer tokens of an MCP server over HTTP: each must be a live Tollgate pass, or an OAuth token of one.

    It is the ``token_verifier`` of an ``MCPServer`` or ``FastMCP``. ``tollgate`` is the client of the builder's account,
    and ``resource`` the URL of the server, as its tools name it; without it passes are good and OAuth tokens are not. The
    client of a token is the pass, its scopes are ``tollgate:spend`` and the tools that the pass allows, and ``*`` is all.
    Who has no live pass gets a 401. While Tollgate cannot be asked, the TollgateError is the server's to answer.
    """

    def __init__(self, tollgate: Tollgate | AsyncTollgate, resource: str | None = None) -> None:
        self._tollgate = to_async(tollgate)
        self._resource = resource

    async def verify_token(self, token: str) -> AccessToken | None:
        found = await self._check(token)
        if found is None:
            return None
        oauth = found["token"]
        times = (found["expires_at"], oauth["expires_at"] if oauth else None)
        ends = [_seconds_of(time) for time in times if time is not None]
        provider = importlib.import_module("mcp.server.auth.provider")
        access: AccessToken = provider.AccessToken(
            token=token,
            client_id=found["id"],
            scopes=[SPEND_SCOPE, *(["*"] if found["tools"] == "*" else found["tools"])],
            expires_at=int(min(ends, default=SYSTEM_CLOCK.now() + _TRUSTED)),
            resource=oauth["resource"] if oauth else None,
            claims={"name": found["name"], **({"client_id": oauth["client_id"]} if oauth else {})},
        )
        return access

    async def _check(self, token: str) -> t.CheckedPass | None:
        if len(token) > _TOKEN_LENGTH_MAX:
            return None
        body: t.PassCheck = {"pass": token}
        if self._resource is not None:
            body["resource"] = self._resource
        try:
            return await self._tollgate.passes.check(body)
        except TollgateError as error:
            if error.code == "pass_refused":
                return None
            raise


def _seconds_of(time: str) -> float:
    """Since the epoch."""
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()
