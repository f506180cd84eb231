"""A builder with a tool at one cent per call, and a consumer with a pass for it, at a real service."""

from __future__ import annotations

import uuid

from tollgate import Tollgate
from tollgate import types as t

from .eventually import eventually


class Market:
    def __init__(self, *, bill_failed_calls: bool = False) -> None:
        self.builder = _account()
        self.consumer = _account()
        self.builder_key = self.builder.api_keys.create({"name": "server"}).get("key", "")
        self.slug = f"tool-{uuid.uuid4()}"
        price: t.PriceInput = {
            "currency": "usd",
            "charges": [{"metric": {"type": "calls"}, "model": {"type": "per_unit", "unit_price_usd": "0.01"}}],
            "bill_failed_calls": bill_failed_calls,
        }
        self.builder.tools.create({"slug": self.slug, "name": "Weather", "price": price})
        created = self.consumer.passes.create({"name": "agent", "tools": [self.slug]})
        self.pass_id, self.key = created["id"], created["key"]

    def require_counted(self, *, successes: int, failures: int) -> None:
        """Waits until the consumer's calls are these, and no others."""

        def is_counted() -> bool:
            totals = self.consumer.usage.get()["totals"]
            return (totals["successes"], totals["failures"]) == (successes, failures)

        eventually(is_counted, within=20)

    def cap_at(self, amount_usd: float) -> None:
        self.consumer.passes.update(self.pass_id, {"cap": {"amount_usd": amount_usd, "window": "month"}})

    def held_usd(self) -> float | None:
        """Returns the money that is held on the cap of the pass."""
        return self.consumer.passes.get(self.pass_id)["held_usd"]

    def require_spent(self, usd: float) -> None:
        """Waits until the cap of the pass has this behind it, and holds nothing."""

        def is_spent() -> bool:
            found = self.consumer.passes.get(self.pass_id)
            return (found["spent_usd"], found["held_usd"]) == (usd, 0)

        eventually(is_spent, within=20)

    def require_paid(self, *, successes: int, failures: int, usd: float) -> None:
        self.require_counted(successes=successes, failures=failures)
        self.require_spent(usd)

    def paused_key(self) -> str:
        other = self.consumer.passes.create({"name": "paused", "tools": [self.slug]})
        self.consumer.passes.update(other["id"], {"paused": True})
        return other["key"]

    def other_key(self) -> str:
        """Returns the key of a pass for another tool."""
        slug = f"tool-{uuid.uuid4()}"
        self.builder.tools.create({"slug": slug, "name": "Other", "price": {"per_call_usd": "0.01"}})
        return self.consumer.passes.create({"name": "other", "tools": [slug]})["key"]


def _account() -> Tollgate:
    client = Tollgate()
    answer = client.auth.register(f"{uuid.uuid4()}@example.com", "correct horse battery")
    return client.with_key(answer["access_token"])
