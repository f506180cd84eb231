import { expect, it } from '@jest/globals';

import { readCallerKey } from './payer.ts';

it.each([
  ['its own entry before all others', { 'tollgate/key': 'own' }, { authInfo: { token: 'token' } }, 'own'],
  ['the token that the server has checked', {}, { authInfo: { token: 'token' } }, 'token'],
  ['the token, as the second generation has it', {}, { http: { authInfo: { token: 'token' } } }, 'token'],
  ['the header, as the first generation has it', {}, { requestInfo: { headers: { authorization: 'Bearer a' } } }, 'a'],
  [
    'the header, as the second generation has it',
    {},
    { http: { req: new Request('http://localhost', { headers: { Authorization: 'bearer b' } }) } },
    'b',
  ],
  ['no header of another kind', {}, { requestInfo: { headers: { authorization: 'Basic x' } } }, undefined],
  ['nothing over stdio', {}, undefined, undefined],
  ['no entry that is not a text', { 'tollgate/key': 5 }, undefined, undefined],
])('takes %s', (_title, meta, extra, key) => {
  expect(readCallerKey(meta, extra)).toBe(key);
});
