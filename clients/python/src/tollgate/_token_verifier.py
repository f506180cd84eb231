"""Passes as bearer tokens of an MCP server over HTTP."""

from __future__ import annotations

import datetime
import importlib
from collections import OrderedDict
from typing import TYPE_CHECKING
from urllib.parse import urlsplit, urlunsplit

from ._clock import SYSTEM_CLOCK
from .calls import to_async
from .client import AsyncTollgate, Tollgate
from .errors import TollgateError

if TYPE_CHECKING:
    from mcp.server.auth.provider import AccessToken

    from . import types as t

#: A pass without an expiry is asked about again after so many seconds.
_TRUSTED = 300.0
#: So many seconds a client that was told of a missing tool is not told again.
_TOLD = 60.0
_TOLD_MAX = 10_000

#: The claim of an access token that names its pass. A client of another verifier may stand for many callers.
PASS_CLAIM = "tollgate_pass_id"
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
        self._told: OrderedDict[tuple[str, str], float] = OrderedDict()

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
            claims={
                PASS_CLAIM: found["id"],
                "name": found["name"],
                **({"client_id": oauth["client_id"]} if oauth else {}),
            },
        )
        return access

    def step_up(self, access: AccessToken, tool: str) -> str | None:
        """The value of ``WWW-Authenticate`` beside 403, for a call of a tool (a slug) that the pass of a token lacks.

        It names all scopes that the token should have, so a client sends its person to the consent page. None: serve the
        call. Its pass has the tool, or it gets the sentence of the refused call, as the second one within a minute does:
        some clients only refresh their token, and never ask their person.
        """
        tools = [scope for scope in access.scopes if scope != SPEND_SCOPE]
        if access.resource is None or "*" in tools or tool in tools:
            return None
        now, name = SYSTEM_CLOCK.monotonic(), (access.client_id, tool)
        if self._told.get(name, -_TOLD) > now - _TOLD:
            return None
        self._told.pop(name, None)  # an earlier one would keep its place in the order
        self._told[name] = now
        while len(self._told) > _TOLD_MAX:
            self._told.popitem(last=False)
        scope = " ".join([SPEND_SCOPE, *(f"tollgate:tool:{slug}" for slug in [*tools, tool])])
        metadata = _metadata_url(access.resource)
        return f'Bearer error="insufficient_scope", resource_metadata="{metadata}", scope="{scope}"'

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


def _metadata_url(resource: str) -> str:
    """The address of the server's metadata (RFC 9728)."""
    parts = urlsplit(resource)
    path = "" if parts.path == "/" else parts.path
    return urlunsplit(parts._replace(path=f"/.well-known/oauth-protected-resource{path}"))


def _seconds_of(time: str) -> float:
    """Since the epoch."""
    return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).timestamp()
