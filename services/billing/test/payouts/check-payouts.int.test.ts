import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import { guards } from '../support/guards.ts';
import { createPayoutsFixture, type PayoutsFixture } from '../support/payouts-fixture.ts';

const bob = '10000000-0000-4000-8000-000000000001';
const tables = ['payout', 'processor_attempt', 'released_line', 'ledger_entry', 'ledger_account', 'ledger_transaction'];

let fixture: PayoutsFixture;
let undo: string[] = [];

/** January is paid, February is on its way. */
beforeAll(async () => {
  fixture = await createPayoutsFixture();
  await fixture.addBuilder('a');
  await fixture.earn({ period: '2026-01', letter: 'a', consumerId: bob, calls: 1_000 });
  await fixture.reachPayoutDay('2026-01');
  await fixture.earn({ period: '2026-02', letter: 'a', consumerId: bob, calls: 500 });
  await fixture.failures.add({ on: 'transfer', failure: 'insufficient_funds', times: 1, subjectId: undefined });
  await fixture.reachPayoutDay('2026-02');
});

afterAll(() => fixture.drop());

afterEach(async () => {
  for (const statement of undo) await fixture.owner.query(statement);
  await fixture.proveLedger();
});

/** What no service can do: by hand, with all triggers off. */
async function plant(statement: string, back: string): Promise<void> {
  await fixture.owner.query(guards('disable', tables));
  await fixture.owner.query(statement);
  undo = [back, guards('enable', tables)];
}

const inJanuary = `period = '2026-01'`;
const transferOf = (period: string) =>
  `kind = 'transfer' and subject_id = (select payout_id from billing.payout where period = '${period}')`;

describe('tollgate ledger check', () => {
  it('finds payouts, paid and on their way, as they should be', async () => {
    expect(await fixture.payouts()).toMatchObject([{ status: 'paid' }, { status: 'scheduled' }]);
    await fixture.proveLedger();
  });

  it.each([
    [
      'a payout that is said to be on its way',
      `update billing.payout set status = 'scheduled', paid_at = null, due_at = created_at where ${inJanuary}`,
      `update billing.payout set status = 'paid', paid_at = created_at, due_at = null where ${inJanuary}`,
      [
        'the ledger agrees with the status and transfers of each payout',
        'the money in transit is that of scheduled payouts',
      ],
    ],
    [
      'a payout that is said to be paid',
      `update billing.payout set status = 'paid', paid_at = created_at, due_at = null where period = '2026-02'`,
      `update billing.payout set status = 'scheduled', paid_at = null, due_at = created_at where period = '2026-02'`,
      [
        'the ledger agrees with the status and transfers of each payout',
        'the money in transit is that of scheduled payouts',
      ],
    ],
    [
      'a cent more than was earned',
      `update billing.payout set net_cents = net_cents + 1 where ${inJanuary}`,
      `update billing.payout set net_cents = net_cents - 1 where ${inJanuary}`,
      [
        'each transfer belongs to a payout and has its amount',
        'each payout is the sum of its lines and the remainder before',
      ],
    ],
    [
      'a cent of fee that was not taken',
      `update billing.payout set fee_cents = fee_cents + 1 where ${inJanuary}`,
      `update billing.payout set fee_cents = fee_cents - 1 where ${inJanuary}`,
      ['each payout is the sum of its lines and the remainder before'],
    ],
    [
      'a line that no payout took',
      `update billing.released_line set payout_id = null where payout_id = (select payout_id from billing.payout where ${inJanuary})`,
      `update billing.released_line set payout_id = (select payout_id from billing.payout where ${inJanuary}) where payout_id is null`,
      ['each payout is the sum of its lines and the remainder before'],
    ],
    [
      'a second transfer',
      `insert into billing.processor_attempt select gen_random_uuid(), kind, subject_id, 2, processor, 'another', amount_cents,
         party_id, null, status, 'tr_another', null, 0, started_at, begun_at, null, settled_at
       from billing.processor_attempt where ${transferOf('2026-01')}`,
      `delete from billing.processor_attempt where object_id = 'tr_another'`,
      [
        'the ledger agrees with the status and transfers of each payout',
        'no payout was transferred twice',
        'each builder is owed its earnings that were not transferred',
      ],
    ],
    [
      'a transfer of another amount',
      `update billing.processor_attempt set amount_cents = amount_cents + 1 where ${transferOf('2026-01')}`,
      `update billing.processor_attempt set amount_cents = amount_cents - 1 where ${transferOf('2026-01')}`,
      [
        'the ledger agrees with the status and transfers of each payout',
        'each transfer belongs to a payout and has its amount',
        'each builder is owed its earnings that were not transferred',
      ],
    ],
  ])('finds %s', async (_what, statement, back, expected) => {
    await plant(statement, back);
    const { differences } = await checkLedger(fixture.worker);
    expect(differences.map(({ check }) => check)).toEqual(expected);
    expect(differences.every(({ examples }) => examples.length > 0)).toBe(true);
  });
});
