import { expect, it } from '@jest/globals';
import { createToolMemory } from './tool-memory.ts';

const tool = { toolId: 'summarise', ownerId: 'owner', isArchived: false, resource: null, prices: [], defaultMax: null };

it('F159 does not take a tool that was forgotten while it was read', () => {
  const memory = createToolMemory(10);
  const before = memory.now();
  memory.put(tool, before);
  memory.forget('summarise');
  memory.put(tool, before);
  expect(memory.get('summarise')).toBeUndefined();
  memory.put(tool, memory.now());
  expect(memory.get('summarise')).toBe(tool);
});
