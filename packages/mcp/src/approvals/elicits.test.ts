import { expect, it } from '@jest/globals';
import { elicitsOf } from './elicits.ts';

const url = { elicitation: { url: {} } };
const modern = (capabilities: object) => ({
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': capabilities,
});

it.each([
  ['a client of 2026-07-28 that opens pages', { envelope: modern(url), capabilities: undefined }, 'by_result'],
  ['one that does not', { envelope: modern({ elicitation: { form: {} } }), capabilities: undefined }, undefined],
  ['one that does not, whatever its server keeps of it', { envelope: modern({}), capabilities: url }, undefined],
  ['a client of 2025-11-25 that opens pages', { envelope: { progressToken: 1 }, capabilities: url }, 'by_error'],
  ['one that only fills in forms', { envelope: undefined, capabilities: { elicitation: {} } }, undefined],
  ['one that never said', { envelope: undefined, capabilities: undefined }, undefined],
])('knows how to send %s to a page', (_title, declared, expected) => {
  expect(elicitsOf(declared)).toBe(expected);
});
