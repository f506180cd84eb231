import { describe, expect, it } from '@jest/globals';

import { mismatchOf, unsupportedVersionOf } from './check-headers.ts';

const version = { 'mcp-protocol-version': '2026-07-28' };
const call = { jsonrpc: '2.0' as const, id: 1, method: 'tools/call', params: { name: 'wetter für Ä' } };
const encoded = `=?base64?${Buffer.from(call.params.name).toString('base64')}?=`;

describe('F356 the headers of a request of MCP 2026-07-28', () => {
  it.each([
    ['that repeat it', { 'mcp-method': 'tools/call', 'mcp-name': ` ${encoded} ` }, /it repeats the request/],
    ['without a method', { 'mcp-name': encoded }, /Mcp-Method/],
    ['with another method', { 'mcp-method': 'tools/list', 'mcp-name': encoded }, /Mcp-Method/],
    ['with a method in capitals', { 'mcp-method': 'TOOLS/CALL', 'mcp-name': encoded }, /Mcp-Method/],
    ['without a name', { 'mcp-method': 'tools/call' }, /Mcp-Name/],
    ['with another name', { 'mcp-method': 'tools/call', 'mcp-name': 'free' }, /Mcp-Name/],
    ['with a name that is no Base64', { 'mcp-method': 'tools/call', 'mcp-name': '=?base64?w?=' }, /Mcp-Name/],
  ])('%s are taken at their word', (_, headers, reason) => {
    const mismatch = mismatchOf(call, { ...version, ...headers });
    expect(mismatch ?? 'it repeats the request').toMatch(reason);
  });

  it('need a version, and no name where the request names nothing', () => {
    expect(mismatchOf({ ...call, method: 'tools/list' }, { ...version, 'mcp-method': 'tools/list' })).toBeUndefined();
    expect(mismatchOf(call, { 'mcp-method': 'tools/call', 'mcp-name': encoded })).toMatch(/MCP-Protocol-Version/);
    expect(mismatchOf({ jsonrpc: '2.0', method: 'notifications/cancelled' }, {})).toBeUndefined();
  });

  it('name a version that is spoken here, else the answer says which is', () => {
    const asking = (version: string) =>
      unsupportedVersionOf({ ...call, params: { _meta: { 'io.modelcontextprotocol/protocolVersion': version } } });
    expect([asking('2026-07-28'), unsupportedVersionOf(call)]).toEqual([undefined, undefined]);
    expect(asking('v999.0.0')).toEqual({ supported: ['2026-07-28'], requested: 'v999.0.0' });
  });
});
