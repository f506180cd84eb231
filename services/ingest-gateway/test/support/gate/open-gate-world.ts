import type { Tool } from '../../../src/tools/tool.ts';
import { perCall } from './charging.ts';
import { createGateWorld, type GateWorld, type TestGate, type WorldRules } from './gate-world.ts';

export interface OpenGateWorld {
  readonly world: GateWorld;
  readonly gate: TestGate;
  /** At the same price for each call. */
  readonly tool: Tool;
}

/** A world with a gateway and a tool, in which all is counted. */
export async function openGateWorld(startMs: number, unitPriceUsd: string, rules?: WorldRules): Promise<OpenGateWorld> {
  const world = await createGateWorld(startMs, rules);
  const tool = await world.addTool([[null, perCall(unitPriceUsd)]]);
  await world.moveWatermark(startMs - 6_000);
  return { world, gate: world.openGate(), tool };
}
