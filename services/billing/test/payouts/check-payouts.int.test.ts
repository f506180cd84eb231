import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dayMs } from '@tollgate/kernel/durations';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';
import { planted } from '../support/planted.ts';

const bob = '10000000-0000-4000-8000-000000000001';

let fixture: PayoutsFixture;

/** January was lowered by a cent and is paid, February is on its way. */
beforeAll(async () => {
  fixture = await createPayoutsFixture();
  await fixture.addBuilder('a');
  await fixture.earn({ period: '2026-01', letter: 'a', consumerId: bob, calls: 1_000 });
  await fixture.failures.add({ on: 'transfer', failure: 'decline', times: 1, subjectId: undefined });
  await fixture.reachPayoutDay('2026-01');
  await fixture.refund({ consumerId: bob, period: '2026-01', cents: 1n });
  fixture.clock.advance(dayMs);
  await fixture.runDue();
  await fixture.earn({ period: '2026-02', letter: 'a', consumerId: bob, calls: 500 });
  await fixture.failures.add({ on: 'transfer', failure: 'insufficient_funds', times: 1, subjectId: undefined });
  await fixture.reachPayoutDay('2026-02');
});

afterAll(() => fixture.drop());

const ofPayout = (change: string, period = '2026-01') =>
  `update billing.payout set ${change} where period = '${period}'`;
const january = `(select payout_id from billing.payout where period = '2026-01')`;
const itsTransfer = `kind = 'transfer' and subject_id = ${january} and status = 'succeeded'`;
const perPayout = 'the ledger agrees with the status and transfers of each payout';
const inTransit = 'the money in transit is that of scheduled payouts';
const perTransfer = 'each transfer belongs to a payout and has its amount';
const perLines = 'each payout is the sum of its lines, returned transfers, shares in fees and the remainder before';
const perBuilder = 'each builder is owed its earnings that were not transferred';

describe('tollgate ledger check', () => {
  it('finds payouts, paid and on their way, as they should be', async () => {
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid' }, { status: 'scheduled' }]);
    await fixture.proveLedger();
  });

  it.each([
    [
      'a payout that is said to be on its way',
      ofPayout(`status = 'scheduled', paid_at = null, due_at = created_at`),
      [perPayout, inTransit],
    ],
    [
      'a payout that is said to be paid',
      ofPayout(`status = 'paid', paid_at = created_at, due_at = null`, '2026-02'),
      [perPayout, inTransit],
    ],
    ['a cent more than was earned', ofPayout('net_cents = net_cents + 1'), [perTransfer, perLines]],
    ['a cent too much that was held back', ofPayout('held_cents = held_cents + 1'), [perLines]],
    ['a cent that no earlier payout held back', ofPayout('held_cents = held_cents + 1', '2026-02'), [perLines]],
    [
      'a remainder that the next payout does not begin with',
      ofPayout('earning_left_micros = earning_left_micros + 1'),
      [perLines],
    ],
    ['a cent of fee that was not taken', ofPayout('fee_cents = fee_cents + 1'), [perLines]],
    [
      'a line that no payout took',
      `update billing.released_line set payout_id = null where payout_id = ${january}`,
      [perLines],
    ],
    [
      'a second transfer',
      `insert into billing.processor_attempt select gen_random_uuid(), kind, subject_id, 3, processor, 'another', amount_cents,
         party_id, null, status, 'tr_another', null, 0, started_at, begun_at, null, settled_at
       from billing.processor_attempt where ${itsTransfer}`,
      [perPayout, 'no payout was transferred twice', perBuilder],
    ],
    [
      'a transfer of another amount',
      `update billing.processor_attempt set amount_cents = amount_cents + 1 where ${itsTransfer}`,
      [perPayout, perTransfer, perBuilder],
    ],
  ])('finds %s', async (_what, wrong, expected) => {
    const { differences } = await planted(fixture.owner, wrong, checkLedger);
    expect(differences.map(({ check }) => check)).toEqual(expected);
    expect(differences.every(({ examples }) => examples.length > 0)).toBe(true);
  });
});
