import { expect, it } from '@jest/globals';

import { outcomeOf } from './outcome-of.ts';

const call = { name: 'weather', arguments: { city: 'Oslo' }, meta: {} };
const listed = { name: 'weather', inputSchema: { type: 'object', required: ['city'] } };
const text = (words: string) => [{ type: 'text', text: words }];

it.each([
  ['a result', { result: { content: text('12 degrees') } }, 'success'],
  ['a result that says it is an error', { result: { content: text('no such city'), isError: true } }, 'failure'],
  ['an internal error', { error: { code: -32_603, message: 'Internal error' } }, 'failure'],
  ['an unknown tool', { error: { code: -32_602, message: 'Tool x not found' } }, 'not_run'],
  ['headers that differ from the body', { error: { code: -32_020, message: 'Header mismatch' } }, 'not_run'],
  ['a capability that the client lacks', { error: { code: -32_021, message: 'Missing capability' } }, 'not_run'],
  ['a version that the server does not speak', { error: { code: -32_022, message: 'Unsupported' } }, 'not_run'],
  ['an address that its user must visit first', { error: { code: -32_042, message: 'Please agree' } }, 'not_run'],
  ['an error next to those', { error: { code: -32_023, message: 'of a tool' } }, 'failure'],
  ['an unknown method', { error: { code: -32_601, message: 'Method not found' } }, 'not_run'],
  [
    'arguments that do not fit, in the second generation',
    { result: { content: text('Input validation error: Invalid arguments for tool x: city'), isError: true } },
    'not_run',
  ],
  [
    'arguments that do not fit, in the first generation',
    {
      result: {
        content: text('MCP error -32602: Input validation error: Invalid arguments for tool x: city'),
        isError: true,
      },
    },
    'not_run',
  ],
  [
    'an unknown tool, in the first generation',
    { result: { content: text('MCP error -32602: Tool x not found'), isError: true } },
    'not_run',
  ],
  ['a question for more input', { result: { resultType: 'input_required', inputRequests: {} } }, 'not_run'],
  [
    'words of a tool about invalid arguments, without an error',
    { result: { content: text('Input validation error: Invalid arguments for tool x') } },
    'success',
  ],
])('reads %s', (_title, answer, outcome) => {
  expect(outcomeOf({ jsonrpc: '2.0', id: 1, ...answer }, call, undefined)).toBe(outcome);
});

const refused = { error: { code: -32_602, message: 'Invalid params' } };
const failed = { result: { content: text('it is as it is'), isError: true } };

it.each([
  ['an error, of a tool that is not listed', refused, call, 'unlisted', 'not_run'],
  ['an error, for arguments that do not fit', refused, { ...call, arguments: {} }, listed, 'not_run'],
  ['an error that a tool raised', refused, call, listed, 'failure'],
  ['a failure, of a tool that is not listed', failed, call, 'unlisted', 'not_run'],
  ['a failure, for arguments that do not fit', failed, { ...call, arguments: {} }, listed, 'not_run'],
  ['a failure of a tool', failed, call, listed, 'failure'],
  ['a result of a tool that is not listed', { result: {} }, call, 'unlisted', 'success'],
] as const)('reads %s, by the list of tools', (_title, answer, asked, tool, outcome) => {
  expect(outcomeOf({ jsonrpc: '2.0', id: 1, ...answer }, asked, tool)).toBe(outcome);
});
