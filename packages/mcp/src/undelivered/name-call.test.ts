import { expect, it } from '@jest/globals';

import type { Incoming } from '../incoming.ts';
import { nameCall } from './name-call.ts';

const call = { name: 'weather', arguments: { city: 'Oslo', days: 2 }, meta: { 'io.example/locale': 'no' } };
const base: Incoming = {
  call,
  continuation: undefined,
  passId: undefined,
  callerKey: 'tg_pass_1',
  connectionKey: undefined,
  isCancelled: () => false,
  run: async () => ({ response: undefined }),
  listTools: async () => undefined,
  ask: async () => undefined,
  server: 'weather',
};

it.each<[string, Partial<Incoming>]>([
  ['other order', { call: { ...call, arguments: { days: 2, city: 'Oslo' } } }],
  ['progress token and a trace', { call: { ...call, meta: { ...call.meta, progressToken: 7, traceparent: '00-1' } } }],
  ['key beside it', { call: { ...call, meta: { ...call.meta, 'tollgate/key': 'tg_pass_1' } } }],
  ['key of its connection', { callerKey: undefined, connectionKey: 'tg_pass_1' }],
])('names a call alike with: %s', (_title, change) => {
  expect(nameCall({ ...base, ...change })).toBe(nameCall(base));
});

it.each<[string, Partial<Incoming>]>([
  ['pass', { callerKey: 'tg_pass_2' }],
  ['server', { server: 'news' }],
  ['tool', { call: { ...call, name: 'forecast' } }],
  ['argument', { call: { ...call, arguments: { city: 'Oslo', days: 3 } } }],
  ['metadata', { call: { ...call, meta: { 'io.example/locale': 'de' } } }],
  ['idempotency key', { call: { ...call, meta: { ...call.meta, 'tollgate/idempotency_key': '1' } } }],
  ['input', { continuation: { inputResponses: { agree: { action: 'accept' } } } }],
  ['state', { continuation: { requestState: 'x' } }],
])('names a call differently with another %s', (_title, change) => {
  expect(nameCall({ ...base, ...change })).not.toBe(nameCall(base));
});

it('names no call without a key: its callers may be strangers', () => {
  expect(nameCall({ ...base, callerKey: undefined })).toBeUndefined();
});
