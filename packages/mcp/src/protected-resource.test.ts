import { expect, it } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';

import { protectedResource } from './protected-resource.ts';
import type { PassAuthInfo } from './token-verifier.ts';

const authInfo: PassAuthInfo = {
  token: 'a.b.c',
  clientId: 'pass-1',
  scopes: ['tollgate:spend', 'forecast'],
  expiresAt: 4_070_908_800,
  extra: { passId: 'pass-1', name: 'Weather agent', clientId: 'client-1' },
};

it('F346 gives the challenge of a tool that the pass of a token lacks once, and to a pass none', () => {
  const tollgate = new Tollgate({ url: 'http://localhost', apiKey: 'tg_live_test' });
  const { stepUp } = protectedResource({ tollgate, resource: 'https://mcp.example.com/mcp' });
  expect([stepUp(authInfo, 'forecast'), stepUp(authInfo, 'history'), stepUp(authInfo, 'history')]).toEqual([
    undefined,
    'Bearer error="insufficient_scope", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", scope="tollgate:spend tollgate:tool:forecast tollgate:tool:history"',
    undefined,
  ]);
  expect(stepUp({ ...authInfo, extra: { passId: 'pass-2', name: 'agent' } }, 'history')).toBeUndefined();
  expect(stepUp({ ...authInfo, scopes: ['tollgate:spend', '*'] }, 'other')).toBeUndefined();
});
