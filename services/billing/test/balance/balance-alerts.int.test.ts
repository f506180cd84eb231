import { beforeEach, describe, expect, it } from '@jest/globals';
import { putThresholds } from '../../src/balance/sql-balance-threshold.ts';
import { ada } from '../support/cast.ts';
import { useCollection } from '../support/use-collection.ts';

/** Ada wants to know when she has less than 15 or 5 USD to spend. */
const fixture = useCollection({
  now: '2026-01-10T00:00:00Z',
  cards: { [ada]: 'visa' },
  async then({ grant, topUp }) {
    await grant(ada, 1_000n, { expires: '2026-01-20T00:00:00Z' });
    await topUp(ada, 1_000n);
  },
});

beforeEach(() => setThresholds(500n, 1_500n));
async function setThresholds(...belowCents: bigint[]): Promise<void> {
  const set = { accountId: ada, belowCents, nowMs: fixture.clock.now() };
  await fixture.owner.transaction((tx) => putThresholds(tx, set));
}

/** One text an alert. */
async function alerts(): Promise<string[]> {
  const text = `select concat_ws(' ', below_micros / 10000, 'spent', spent_micros / 10000, 'of', cap_micros / 10000,
      percent || ' %', 'since', to_char(window_start at time zone 'UTC', 'MM-DD')) as line
    from billing.balance_threshold_alert_v1 order by raised_at, below_micros desc`;
  const rows = await fixture.owner.query<{ line: string }>(text);
  return rows.map(({ line }) => line.replaceAll(/\.0+(?= |$)/g, ''));
}

describe('a balance that no call fills or empties', () => {
  it('F237 is compared when its credit expires, when it is filled, and when a bank takes it back', async () => {
    await fixture.runDue();
    expect(await alerts()).toEqual([]);
    fixture.clock.set(Date.parse('2026-01-20T00:00:00Z'));
    for (const _time of [1, 2]) await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 0 of 1000 0 % since 01-10']);
    fixture.clock.set(Date.parse('2026-01-21T00:00:00Z'));
    await fixture.grant(ada, 500n);
    await fixture.runDue();
    await fixture.disputeTopUp(ada, 1_000n, 'lost');
    for (const _time of [1, 2]) await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 0 of 1000 0 % since 01-10', '1500 spent 0 of 500 0 % since 01-21']);
  });

  it('F237 is less by calls that no invoice has billed, and by what invoices bill, as in the month that bills them', async () => {
    await fixture.addUsage({ consumerId: ada, tool: 'search', hour: '2026-01-25T00:00:00Z', calls: 6 });
    for (const _time of [1, 2]) await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 600 of 2000 30 % since 01-10']);
    await fixture.reach('2026-02-02T00:00:00Z'); // the grant expired before these calls
    expect(await alerts()).toEqual(['1500 spent 600 of 2000 30 % since 01-10', '500 spent 0 of 400 0 % since 01-10']);
  });

  it('is compared with a threshold as it is set, and set again it is not raised again', async () => {
    fixture.clock.set(Date.parse('2026-01-20T00:00:00Z'));
    await fixture.runDue();
    await setThresholds(1_500n, 1_200n);
    await fixture.runDue();
    expect(await alerts()).toEqual(['1500 spent 0 of 1000 0 % since 01-10', '1200 spent 0 of 1000 0 % since 01-20']);
    await setThresholds();
    await fixture.runDue();
    expect(await alerts()).toHaveLength(2);
  });
});
