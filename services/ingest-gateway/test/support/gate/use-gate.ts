import { standInFor, useOnce } from '@tollgate/testkit/use-world';
import { perCall } from './charging.ts';
import { createGateWorld, type WorldRules } from './gate-world.ts';

const startMs = Date.parse('2026-11-21T12:34:56.789Z');

/** A world with a gateway and a tool at this price for each call, in which all is counted; once for all tests. */
export function useGate(unitPriceUsd = '0.25', rules?: WorldRules) {
  const opened = useOnce(async () => {
    const world = await createGateWorld(startMs, rules);
    const tool = await world.addTool([[null, perCall(unitPriceUsd)]]);
    await world.moveWatermark(startMs - 6_000);
    return { world, gate: world.openGate(), tool, stop: world.stop };
  });
  return {
    world: standInFor(() => opened.world),
    gate: standInFor(() => opened.gate),
    tool: standInFor(() => opened.tool),
  };
}
