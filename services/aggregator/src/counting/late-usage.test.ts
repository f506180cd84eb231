import { expect, it } from '@jest/globals';
import type { UsageEventRecord } from '@tollgate/contracts/events/event-record';
import { lateUsageOf } from './late-usage.ts';

const at = (occurredAt: string) => ({
  offset: 0n,
  bytes: new Uint8Array(),
  event: { consumer_id: 'c', tool_id: 't', occurred_at: occurredAt } as UsageEventRecord,
});
const lastOfOctober = at('2026-10-31T23:59:59.999Z');
const october = { consumerId: 'c', toolId: 't', period: '2026-10' };

it.each([
  ['2026-11-01T23:59:59.999Z', []],
  ['2026-11-02T00:00:00.000Z', [october]],
])('F110 calls a month late once it may be closed: counted through %s', (countedThrough, late) => {
  const events = [lastOfOctober, at('2026-11-01T00:00:00.000Z'), lastOfOctober];
  expect(lateUsageOf(events, Date.parse(countedThrough))).toEqual(late);
});

it('F110 calls nothing late before the first watermark', () => {
  expect(lateUsageOf([lastOfOctober], -Infinity)).toEqual([]);
});
