"""Why a call was refused before it ran, in words that an agent can act upon."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .errors import TollgateError

if TYPE_CHECKING:
    from . import types as t


@dataclass(frozen=True)
class Refusal:
    """Why a call was refused before it ran."""

    #: Stable: program against this.
    code: str
    #: A sentence that says what to do, for people and for agents.
    detail: str
    #: When the cap has room again, if Tollgate said so.
    resets_at: str | None = None
    #: The figures of the cap, which only its owner sees.
    limit: t.SpendingLimit | None = None
    #: The owner of the pass can let the call through by it.
    approval: t.ApprovalLink | None = None

    def to_wire(self) -> dict[str, Any]:
        """As programs get it: without what Tollgate did not say."""
        fields = {
            "code": self.code,
            "detail": self.detail,
            "resets_at": self.resets_at,
            "limit": self.limit,
            "approval": self.approval,
        }
        return {name: value for name, value in fields.items() if value is not None}


PASS_REFUSED = Refusal(
    "pass_refused",
    "This key is no live pass: it is unknown, revoked, paused or expired. Ask its owner for another one.",
)


def key_missing(tool: str) -> Refusal:
    return Refusal(
        "payment_required",
        f"The tool {tool} is paid per call, and this call has no payer. Send a Tollgate pass with it.",
    )


def tool_not_allowed(tool: str) -> Refusal:
    return Refusal("tool_not_allowed", f"This key does not allow the tool {tool}. Its owner can add the tool.")


def unavailable(tool: str) -> Refusal:
    return Refusal(
        "gate_unavailable",
        f"Tollgate could not be asked whether this call of {tool} may be charged. "
        "Nothing was charged. Try again later.",
    )


def misconfigured(tool: str) -> Refusal:
    """No other call would fare better, so nobody is told to try again."""
    return Refusal(
        "tool_misconfigured",
        f"The tool {tool} cannot be charged for, since its builder has set it up wrong. Nothing was charged. "
        "Only its builder can fix this: do not try again.",
    )


_BUILDERS_CODES = frozenset({"tool_not_found", "tool_archived", "invalid_request"})
_CREDENTIAL_CODES = frozenset(
    {"unauthenticated", "forbidden", "events_scope_missing", "read_scope_missing", "no_api_key"}
)


def read_refusal(error: Exception, tool: str, *, is_builders_key: bool) -> Refusal | None:
    """The refusal in an answer of Tollgate: it says no, or the builder's own settings are wrong.

    None for every other error: then nobody knows. ``tool``: the name by which the caller knows it.
    """
    if not isinstance(error, TollgateError):
        return None
    if error.code in _BUILDERS_CODES:
        return misconfigured(tool)
    if error.status == 401 or error.code in _CREDENTIAL_CODES:
        return misconfigured(tool) if is_builders_key else PASS_REFUSED
    if error.status not in (402, 403):
        return None
    resets_at, limit, approval = (error.problem.get(name) for name in ("resets_at", "limit", "approval"))
    detail = _sentence(error.code, tool, resets_at) + _way_to_approve(approval)
    return Refusal(error.code, detail, resets_at, limit, approval)


def _way_to_approve(approval: t.ApprovalLink | None) -> str:
    if approval is None:
        return ""
    until, url = approval["expires_at"], approval["url"]
    return f" Its owner can approve this call until {until} at {url} ; then call again."


def _sentence(code: str, tool: str, resets_at: str | None) -> str:
    anew = f"It resets at {resets_at}; its" if resets_at is not None else "Its"
    known = {
        "spending_cap_reached": f"A spending limit of this key has no room for a call of {tool}. "
        f"{anew} owner can raise it.",
        "approval_required": f"A call of {tool} that may cost so much needs the approval of the owner of this key.",
        "payment_required": "The account of this key has to pay what it owes, or to set up a payment method, "
        f"before a call of {tool}.",
        "pass_refused": PASS_REFUSED.detail,
        "tool_not_allowed": tool_not_allowed(tool).detail,
        "account_suspended": "The account of this key is suspended. Its owner has to ask the operator.",
    }
    return known.get(code, f"The call of {tool} was refused: {code}.")
