import { expect, it } from '@jest/globals';
import { formatReply, parseReply } from './reply-entry.ts';

const first = { bodyHash: 'SGVsbG8sIHRvbGxnYXRlIQ', occurredAt: '2026-11-21T12:00:00.000Z' };

it('reads the entry that it has written', () => {
  expect(parseReply(formatReply(first))).toEqual(first);
});

it.each([null, 7, '', first.bodyHash, `${first.bodyHash} `, `${first.bodyHash} yesterday`, ` ${first.occurredAt}`])(
  'takes %j for no entry',
  (entry) => {
    expect(parseReply(entry)).toBeUndefined();
  },
);
