import { measuresAt } from './tool.ts';
import type { CountedEvent, ToolDirectory } from '../ports.ts';

/** The metadata keys of a counted event that its tool's price sums, so that its builder may see them. */
export function createMeasuresOf(tools: ToolDirectory): (event: CountedEvent) => Promise<readonly string[]> {
  return async function measuresOf({ toolId, occurredAtMs }) {
    const tool = tools.known(toolId) ?? (await tools.lookUp(toolId));
    return tool === undefined ? [] : measuresAt(tool, occurredAtMs);
  };
}
