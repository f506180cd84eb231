"""A builder with a tool at one cent per call, and a consumer with a pass for it, at a real service."""

from __future__ import annotations

import uuid

from tollgate import Tollgate

from .eventually import eventually


class Market:
    def __init__(self) -> None:
        self.builder = _account()
        self.consumer = _account()
        self.builder_key = self.builder.api_keys.create({"name": "server"}).get("key", "")
        self.slug = f"tool-{uuid.uuid4()}"
        self.builder.tools.create({"slug": self.slug, "name": "Weather", "price": {"per_call_usd": "0.01"}})
        created = self.consumer.passes.create({"name": "agent", "tools": [self.slug]})
        self.pass_id, self.key = created["id"], created["key"]

    def require_counted(self, *, successes: int, failures: int) -> None:
        """Waits until the consumer's calls are these, and no others."""

        def is_counted() -> bool:
            totals = self.consumer.usage.get()["totals"]
            return (totals["successes"], totals["failures"]) == (successes, failures)

        eventually(is_counted, within=20)

    def paused_key(self) -> str:
        other = self.consumer.passes.create({"name": "paused", "tools": [self.slug]})
        self.consumer.passes.update(other["id"], {"paused": True})
        return other["key"]

    def other_key(self) -> str:
        """Of a pass for another tool."""
        slug = f"tool-{uuid.uuid4()}"
        self.builder.tools.create({"slug": slug, "name": "Other", "price": {"per_call_usd": "0.01"}})
        return self.consumer.passes.create({"name": "other", "tools": [slug]})["key"]


def _account() -> Tollgate:
    client = Tollgate()
    answer = client.auth.register(f"{uuid.uuid4()}@example.com", "correct horse battery")
    return client.with_key(answer["access_token"])
