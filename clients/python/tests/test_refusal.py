"""Refusals in words, and as programs get them."""

from __future__ import annotations

from tollgate import TollgateError
from tollgate._refusal import read_refusal

APPROVAL = {
    "id": "one",
    "url": "https://tollgate.example/approvals/one",
    "expires_at": "2026-11-21T12:44:56.789Z",
}


def test_a_refusal_says_how_the_owner_of_the_pass_can_approve_the_call() -> None:
    error = TollgateError(status=402, code="approval_required", detail="", problem={"approval": APPROVAL})
    refusal = read_refusal(error, "weather", is_builders_key=True)
    assert refusal is not None
    assert refusal.detail == (
        "A call of weather that may cost so much needs the approval of the owner of this key. Its owner can approve "
        "this call until 2026-11-21T12:44:56.789Z at https://tollgate.example/approvals/one ; then call again."
    )
    assert refusal.to_wire() == {"code": "approval_required", "detail": refusal.detail, "approval": APPROVAL}


def test_a_refusal_without_an_approval_has_none() -> None:
    error = TollgateError(status=402, code="spending_cap_reached", detail="", problem={"resets_at": None})
    refusal = read_refusal(error, "weather", is_builders_key=True)
    assert refusal is not None
    assert "approve" not in refusal.detail
    assert "approval" not in refusal.to_wire()
