"""The client against a real service; TOLLGATE_URL names it."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from tollgate import AsyncTollgate, Tollgate, TollgateError

from .support.eventually import eventually
from .support.hanging import hanging_tollgate

@pytest.fixture
def builder() -> Tollgate:
    client = Tollgate()
    email = f"{uuid.uuid4()}@example.com"
    return client.with_key(client.auth.register(email, "correct horse battery")["access_token"])


def new_slug(builder: Tollgate) -> str:
    slug = f"tool-{uuid.uuid4().hex[:12]}"
    builder.tools.create({"slug": slug, "name": "Tool", "price": {"per_call_usd": "0.002"}})
    return slug


def test_records_an_event_once_under_its_key(builder: Tollgate) -> None:
    slug = new_slug(builder)
    first = builder.events.record({"tool_id": slug, "duration_ms": 5, "idempotency_key": "call-1"})
    again = builder.events.record({"tool_id": slug, "duration_ms": 5, "idempotency_key": "call-1"})
    assert first == again


def test_a_key_that_is_none_is_made(builder: Tollgate) -> None:
    slug = new_slug(builder)
    builder.events.record({"tool_id": slug, "idempotency_key": None})
    builder.events.record_batch([{"tool_id": slug, "idempotency_key": None}])
    eventually(lambda: len(list(builder.events.list(tool_id=slug))) == 2)
    assert all(event.get("idempotency_key") for event in builder.events.list(tool_id=slug))


def test_requests_that_hang_take_no_thread_of_asyncio() -> None:
    async def run() -> None:
        with hanging_tollgate() as hanging:
            client = AsyncTollgate("tg_live_test", hanging.url, retries=0)
            asked = [asyncio.ensure_future(client.tools.get("weather")) for _ in range(60)]
            await asyncio.sleep(0)
            assert await asyncio.wait_for(asyncio.to_thread(lambda: "ran"), 5) == "ran"
            assert not any(one.done() for one in asked)
        assert all(isinstance(one, TollgateError) for one in await asyncio.gather(*asked, return_exceptions=True))

    asyncio.run(run())


def test_tells_what_became_of_each_event_of_a_batch(builder: Tollgate) -> None:
    slug = new_slug(builder)
    answer = builder.events.record_batch([{"tool_id": slug}, {"tool_id": "no-such-tool"}])
    assert [item["status"] for item in answer["results"]] == ["recorded", "rejected"]


def test_reads_a_list_over_all_its_pages(builder: Tollgate) -> None:
    slugs = {new_slug(builder) for _ in range(3)}
    assert {tool["slug"] for tool in builder.tools.list(limit=1)} == slugs


def test_an_error_has_its_code_and_names_the_request(builder: Tollgate) -> None:
    with pytest.raises(TollgateError) as caught:
        builder.tools.get("no-such-tool")
    assert (caught.value.status, caught.value.code) == (404, "tool_not_found")
    assert caught.value.request_id is not None


def test_an_invalid_field_is_named(builder: Tollgate) -> None:
    with pytest.raises(TollgateError) as caught:
        builder.tools.create({"slug": "A B", "name": "Tool", "price": {"per_call_usd": "0.002"}})
    assert [error["pointer"] for error in caught.value.errors] == ["/slug"]
    assert str(caught.value).count("/slug") == 1


def test_without_a_key_says_where_to_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOLLGATE_API_KEY", raising=False)
    with pytest.raises(TollgateError, match="TOLLGATE_API_KEY"):
        Tollgate().usage.get()


def test_asyncio_has_the_same_methods(builder: Tollgate) -> None:
    slug = new_slug(builder)

    async def tell() -> set[str]:
        client = AsyncTollgate()
        email = f"{uuid.uuid4()}@example.com"
        consumer = client.with_key((await client.auth.register(email, "correct horse battery"))["access_token"])
        await asyncio.gather(*(consumer.events.record({"tool_id": slug}) for _ in range(5)))
        return {tool["slug"] async for tool in consumer.tools.list(owner="all", limit=50)}

    assert slug in asyncio.run(tell())
