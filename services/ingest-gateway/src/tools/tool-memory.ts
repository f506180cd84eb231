import { LRUCache } from 'lru-cache';
import type { Tool } from './tool.ts';

/** Tools in memory. A tool may be forgotten while it is read; the older state that was read is then not taken. */
export interface ToolMemory {
  get(toolId: string): Tool | undefined;
  has(toolId: string): boolean;
  /** The moment before a reading. */
  now(): number;
  /** Takes a tool that was read since that moment. */
  put(tool: Tool, since: number): void;
  forget(toolId: string): void;
}

/** Far more than are archived while one reading takes place. */
const forgottenMax = 10_000;

/** Beyond `toolsMax` the least recently used is dropped. */
export function createToolMemory(toolsMax: number): ToolMemory {
  const tools = new LRUCache<string, Tool>({ max: toolsMax });
  const forgottenIn = new LRUCache<string, number>({ max: forgottenMax });
  let turn = 0;
  return {
    get: (toolId) => tools.get(toolId),
    has: (toolId) => tools.has(toolId),
    now: () => turn,
    put(tool, since) {
      if ((forgottenIn.get(tool.toolId) ?? 0) <= since) tools.set(tool.toolId, tool);
    },
    forget(toolId) {
      turn += 1;
      forgottenIn.set(toolId, turn);
      tools.delete(toolId);
    },
  };
}
