"""Answers that their clients have missed."""

from __future__ import annotations

import asyncio
import json
import stat
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tollgate._delivery import Delivery, FollowAnswers
from tollgate._outcome import Response
from tollgate._repeat_store import FolderRepeatStore, MemoryRepeatStore, RepeatStore
from tollgate._seal import Seal
from tollgate._undelivered import Claim, Undelivered, name_call
from tollgate.mcp import ToolCall

pytest.importorskip("cryptography")
SEALED = json.loads((Path(__file__).parents[3] / "packages/mcp/test/sealed-answer.json").read_text())


def never() -> bool:
    return False


class Now:
    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture(params=["memory", "folder"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., RepeatStore]:
    if request.param == "memory":
        return MemoryRepeatStore
    folders = iter(range(10))
    return lambda **options: FolderRepeatStore(tmp_path / str(next(folders)), **options)


def test_a_store_gives_each_answer_once_to_one_of_those_that_ask_at_once(new_store: Callable[..., RepeatStore]) -> None:
    async def run() -> None:
        store = new_store()
        for text in (b"one", b"two"):
            await store.put("a", text)
        assert await store.take("b") is None
        taken = await asyncio.gather(*(store.take("a") for _ in range(10)))
        assert sorted(answer for answer in taken if answer is not None) == [b"one", b"two"]

    asyncio.run(run())


def test_a_store_keeps_to_its_time_and_its_bounds(new_store: Callable[..., RepeatStore]) -> None:
    async def run() -> None:
        now = Now()
        store, few, small = new_store(clock=now), new_store(clock=now, answers_max=2), new_store(clock=now, bytes_max=10)
        for _ in range(2):
            await store.put("a", b"one")
        now.seconds = 599.9
        assert await store.take("a") == b"one"
        now.seconds = 600
        assert await store.take("a") is None
        for bounded in (few, small):
            for name in ("a", "b", "c"):
                now.seconds += 1
                await bounded.put(name, b"12345")
            assert [await bounded.take(name) for name in ("a", "b", "c")] == [None, b"12345", b"12345"]

    asyncio.run(run())


def test_a_folder_is_for_its_owner_alone_and_is_cleared_of_what_was_begun(tmp_path: Path) -> None:
    folder = tmp_path / "answers"
    store = FolderRepeatStore(folder, clock=lambda: 2.0)
    (folder / ".a.1000.3.3f0c").write_text("on")
    (folder / "notes.txt").write_text("mine")
    asyncio.run(store.put("b", b"one"))
    names = sorted(path.name for path in folder.iterdir())
    assert [name.rsplit(".", 1)[0] for name in names] == ["b.602000.3", "notes"]
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, folder / names[0])] == [0o700, 0o600]


def test_what_is_sealed_is_opened_by_the_same_key_and_name_alone_also_from_javascript() -> None:
    seal = Seal(SEALED["api_key"])
    assert seal.name_of(SEALED["text"]) == SEALED["name"]
    assert seal.open(SEALED["name"], bytes.fromhex(SEALED["sealed"])) == SEALED["text"]
    closed = seal.close("a", "12 degrees")
    assert seal.open("a", closed) == "12 degrees"
    assert b"degrees" not in closed
    assert [seal.open("b", closed), Seal("other").open("a", closed), seal.open("a", closed[:-1])] == [None] * 3


class Server:
    """Processes of a server that share a store, and the runs of its one tool."""

    def __init__(self) -> None:
        store, seal = MemoryRepeatStore(), Seal("tg_live_test")
        self.errors: list[Exception] = []
        self.here, self.elsewhere = (Undelivered(store, seal, self.errors.append) for _ in range(2))
        self.runs = 0

    async def call(
        self,
        delivery: Delivery,
        work: Callable[[], Awaitable[Any]] | None = None,
        at: Undelivered | None = None,
        name: str = "call",
    ) -> Any:
        async def run(claim: Claim) -> tuple[Response, bool]:
            missed = await claim()
            if missed is not None:
                return missed, True
            self.runs += 1
            mine = self.runs
            obeyed = await work() == "obeyed" if work else False
            return Response({"run": mine}), not obeyed

        response, _ = await (at or self.here).follow(name, delivery, never, run)
        return (response.result or {})["run"]


@pytest.mark.parametrize("cut", ["while the tool runs", "while the answer is sent"])
def test_a_client_that_was_cut_off_gets_its_answer_once_from_any_process(cut: str) -> None:
    async def run() -> None:
        for where in ("here", "elsewhere"):
            server, delivery, again = Server(), Delivery(), Delivery()

            async def hang_up(delivery: Delivery = delivery) -> None:
                delivery.end(is_delivered=False)

            await server.call(delivery, hang_up if cut == "while the tool runs" else None)
            await hang_up()
            await asyncio.sleep(0.01)
            assert await server.call(Delivery(), name="of another pass") == 2
            assert await server.call(again, at=getattr(server, where)) == 1
            again.end(is_delivered=True)
            await asyncio.sleep(0.01)
            assert await server.call(Delivery(), at=server.here) == 3
            assert await server.call(Delivery(), at=server.elsewhere) == 4
            assert server.errors == []

    asyncio.run(run())


def test_of_two_that_ask_at_once_one_gets_the_answer_and_delivered_ones_wait_for_nobody() -> None:
    async def run() -> None:
        server, delivery = Server(), Delivery()
        await server.call(delivery)
        delivery.end(is_delivered=False)
        await asyncio.sleep(0.01)
        calls = [server.call(Delivery(), at=at) for at in (server.here, server.elsewhere)]
        assert sorted(await asyncio.gather(*calls)) == [1, 2]
        given = Delivery()
        assert await server.call(given) == 3
        given.end(is_delivered=True)
        assert [await server.call(Delivery()), await server.call(Delivery())] == [4, 5]

    asyncio.run(run())


def test_an_equal_call_waits_for_the_run_that_its_client_left() -> None:
    async def run() -> None:
        server, may_end = Server(), asyncio.Event()
        deliveries = [Delivery() for _ in range(3)]
        tries = []
        for delivery in deliveries:
            tries.append(asyncio.ensure_future(server.call(delivery, may_end.wait)))
            await asyncio.sleep(0.01)
            if delivery is not deliveries[-1]:
                delivery.end(is_delivered=False)
        may_end.set()
        assert await asyncio.gather(*tries) == [1, 1, 1]

        async def obey() -> str:
            await may_end.wait()
            return "obeyed"

        may_end.clear()
        left, obeyed = Delivery(), None
        obeyed = asyncio.ensure_future(server.call(left, obey))
        await asyncio.sleep(0.01)
        left.end(is_delivered=False)
        waiting = asyncio.ensure_future(server.call(Delivery()))
        await asyncio.sleep(0.01)
        may_end.set()
        assert [await obeyed, await waiting] == [2, 3]

    asyncio.run(run())


def test_an_answer_outlives_a_client_that_waited_for_it_and_hung_up() -> None:
    async def run() -> None:
        server, may_end, left = Server(), asyncio.Event(), Delivery()
        first = asyncio.ensure_future(server.call(left, may_end.wait))
        await asyncio.sleep(0.01)
        left.end(is_delivered=False)
        waiting = asyncio.ensure_future(server.call(Delivery()))
        await asyncio.sleep(0.01)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        may_end.set()
        assert [await first, await server.call(Delivery())] == [1, 1]

    asyncio.run(run())


def test_equal_calls_have_one_name_and_others_have_their_own() -> None:
    call = ToolCall("weather", {"city": "Oslo", "days": 2}, {"locale": "no"}, None)
    name = name_call(call, "tg_pass_1", "server")
    noise = {"tollgate/key": "x", "progressToken": 1, "traceparent": "00", "locale": "no"}
    assert name_call(call._replace(arguments={"days": 2, "city": "Oslo"}, meta=noise), "tg_pass_1", "server") == name
    others = [
        name_call(call, "tg_pass_2", "server"),
        name_call(call, "tg_pass_1", "other"),
        name_call(call._replace(name="forecast"), "tg_pass_1", "server"),
        name_call(call._replace(arguments={"city": "Oslo"}), "tg_pass_1", "server"),
        name_call(call._replace(meta={"tollgate/idempotency_key": "1"}), "tg_pass_1", "server"),
        name_call(call._replace(continuation={"requestState": "x"}), "tg_pass_1", "server"),
    ]
    assert len({name, *others}) == 7
    assert name_call(call, None, "server") is None


@pytest.mark.parametrize("hangs_up", ["before the answer", "in the answer", "never"])
def test_an_http_answer_is_followed_to_its_end(hangs_up: str) -> None:
    followed: list[Delivery] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        followed.append(scope["tollgate.delivery"])
        await receive()
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"1", "more_body": True})
        if hangs_up == "in the answer":
            raise OSError("the connection is gone")
        await send({"type": "http.response.body", "body": b"2"})

    async def run() -> bool:
        asked = 0

        async def receive() -> dict[str, Any]:
            nonlocal asked
            asked += 1
            if asked == 1:
                return {"type": "http.request", "body": b"", "more_body": False}
            if hangs_up == "never":
                await asyncio.Event().wait()
            return {"type": "http.disconnect"}

        async def send(_message: Any) -> None:
            return None

        try:
            await FollowAnswers(app)({"type": "http"}, receive, send)
        except OSError:
            pass
        return await followed[0].ended

    assert asyncio.run(run()) is (hangs_up == "never")
    assert followed[0].is_lost is (hangs_up != "never")
