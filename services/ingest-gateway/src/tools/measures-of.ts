import { measuresAt } from './tool.ts';
import type { ToolDirectory } from './tool-directory.ts';

export interface PricedCall {
  readonly toolId: string;
  readonly occurredAtMs: number;
}

export type MeasuresOf = (call: PricedCall) => Promise<readonly string[]>;

/** Finds the metadata keys that the tool's price sums at the time of the call: the part of metadata that its builder sees. */
export function createMeasuresOf(tools: ToolDirectory): MeasuresOf {
  return async function measuresOf({ toolId, occurredAtMs }) {
    const tool = tools.known(toolId) ?? (await tools.lookUp(toolId));
    return tool === undefined ? [] : measuresAt(tool, occurredAtMs);
  };
}
