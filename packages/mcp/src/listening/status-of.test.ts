import { describe, expect, it } from '@jest/globals';

import { toError, toResult } from '../json-rpc.ts';
import { statusOf } from './status-of.ts';

describe('F356 the status of an answer of MCP 2026-07-28', () => {
  it.each([
    ['an unknown method', 'ping', -32_601, 404],
    ['a tool that raises the same error', 'tools/call', -32_601, 200],
    ['a version that the server does not speak', 'tools/call', -32_022, 400],
    ['a capability that the client lacks', 'tools/call', -32_021, 400],
    ['headers that the server finds wrong', 'tools/list', -32_020, 400],
    ['bad parameters', 'prompts/get', -32_602, 200],
    ['an address to visit', 'tools/call', -32_042, 200],
  ])('for %s is that of the revision', (_, method, code, status) => {
    expect(statusOf({ jsonrpc: '2.0', id: 1, method }, toError({ code, message: 'no' }))).toBe(status);
  });

  it('is 200 for a result, and before there is one', () => {
    const asked = { jsonrpc: '2.0' as const, id: 1, method: 'tools/list' };
    expect([statusOf(asked, toResult({ tools: [] })), statusOf(asked, undefined)]).toEqual([200, 200]);
  });
});
