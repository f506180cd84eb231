"""Records a call by the meter, and another one with a pass behind the gate: `traced-program.py <slug> <pass> <span> <span>`."""

import asyncio
import sys

from tollgate import Meter, Tollgate
from tollgate.calls import Calls, Refusal


async def main(slug: str, key: str, of_meter: str, of_gate: str) -> None:
    tollgate = Tollgate()
    with Meter.open(durability="memory", tollgate=tollgate) as meter:
        meter.record(slug, duration_ms=5, traceparent=of_meter)
        meter.record(slug, duration_ms=5, traceparent="no traceparent")
        call = await Calls(tollgate=tollgate, meter=meter, gate=True).begin(slug, key, traceparent=of_gate)
        assert not isinstance(call, Refusal), call
        await call.end(success=True)
        left = meter.close().left
    assert left == 0, left
    print("sent")


asyncio.run(main(*sys.argv[1:]))
