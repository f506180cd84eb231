"""Passes as bearer tokens of an MCP server over HTTP."""

from __future__ import annotations

import datetime
import importlib
from typing import TYPE_CHECKING

from ._callers import find_pass
from ._clock import SYSTEM_CLOCK
from .calls import to_async
from .client import AsyncTollgate, Tollgate
from .errors import TollgateError

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken

    from . import types as t

#: A pass without an expiry is asked about again after so many seconds.
_TRUSTED = 300.0


class TokenVerifier:
    """Checks bearer tokens of an MCP server over HTTP: each must be a live Tollgate pass.

    It is the ``token_verifier`` of an ``MCPServer`` or ``FastMCP``. The client of a token is the pass, its scopes are the
    tools that it allows, and ``*`` is all. Who has no live pass gets a 401. While Tollgate cannot be asked, the
    TollgateError is the server's to answer.
    """

    def __init__(self, tollgate: Tollgate | AsyncTollgate) -> None:
        self._tollgate = to_async(tollgate)

    async def verify_token(self, token: str) -> AccessToken | None:
        found = await self._find(token)
        if found is None or found["paused"]:
            return None
        provider = importlib.import_module("mcp.server.auth.provider")
        access: AccessToken = provider.AccessToken(
            token=token,
            client_id=found["id"],
            scopes=["*"] if found["tools"] == "*" else list(found["tools"]),
            expires_at=int(_expiry_of(found["expires_at"])),
            claims={"name": found["name"]},
        )
        return access

    async def _find(self, token: str) -> t.OwnPass | None:
        try:
            return await find_pass(self._tollgate.with_key(token))
        except TollgateError as error:
            if error.status == 403:  # its account is suspended
                return None
            raise


def _expiry_of(time: str | None) -> float:
    """Seconds since the epoch."""
    if time is None:
        return SYSTEM_CLOCK.now() + _TRUSTED
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()
