import { beforeAll, describe, expect, it } from '@jest/globals';
import { useOnce } from '@tollgate/testkit/use-world';
import { hourMs } from '@tollgate/kernel/durations';
import type { Database } from '@tollgate/database/database';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { sumFees } from '../../src/audit/sql-sum-ledger.ts';
import { createPayouts } from '../../src/payouts/payouts.ts';
import { payoutIdOf } from '../../src/payouts/payout.ts';
import { toApiPayoutDetail } from '../../src/payouts/to-api-payout.ts';
import { createSandboxProcessor } from '../../src/processor/sandbox/sandbox-processor.ts';
import { findInBooks } from '../support/find-in-books.ts';
import { perCall } from '../support/invoicing-fixture.ts';
import { createMoneyWorld } from '../support/money-simulation/create-money-world.ts';
import { type PlantedRow, balancesSql, deletePostingSql, plant } from '../support/plant-sql.ts';
import { planted } from '../support/planted.ts';
import { proveLedger } from '../support/prove-ledger.ts';
import { parseUsd } from '@tollgate/kernel/money';
import { eventually } from '@tollgate/testkit/eventually';
import { lockBuilderGross, setBuilderGross } from '../../src/fees/sql-builder-gross.ts';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { useDatabase } from '../support/use-database.ts';

const ada = '0000000a-0000-4000-8000-00000000000a';
const bob = '0000000b-0000-4000-8000-00000000000b';
const consumer = '1000000a-0000-4000-8000-000000000000';

const share = 'billing.processor_fee_share';

const rows: readonly PlantedRow[] = [
  plant('the amount of a share', /fee-share:.*: expected 223946, ledger 223945/)`
    update ${share} set amount_micros = amount_micros + 1 where builder_id = '${ada}'`,
  plant(
    'two shares that add up',
    /in proportion to what the charge paid them: charge .*: builder 0000000a.* bears 223954/,
  )`
    update ${share} set amount_micros = amount_micros + case builder_id when '${ada}' then 9 else -9 end;
     update billing.ledger_entry e set amount_micros = amount_micros + case a.owner_id when '${ada}' then 9 else -9 end
     from billing.ledger_account a, billing.ledger_transaction t where a.ledger_account_id = e.ledger_account_id
       and t.transaction_id = e.transaction_id and t.business_key like 'fee-share:%' and a.kind = 'builder_payable'; ${balancesSql}`,
  plant('a share that was removed', /builders bear 223945 of the fee, expected 720000/)`
    delete from ${share} where builder_id = '${bob}'`,
  ['all shares', `delete from ${share}`, /every posting belongs to a document: fee-share:/],
  ['the posting of the shares', deletePostingSql('fee-share:%'), /lines_ledger: fee-share:.*expected 223945, posted 0/],
  plant('the payout of a share', /each payout is the sum of its lines/)`
    update ${share} set payout_id = null where builder_id = '${ada}'`,
  ['the date of a share', `update ${share} set shared_at = shared_at - interval '1 day'`, /same dates: fee-share:/],
];

const builderId = '0000000a-0000-4000-8000-000000000000';
const january = { builderId, grossKey: '2026-01' };
const february = { builderId, grossKey: '2026-02' };

describe('F219 builders who bear the fee of the processor', () => {
  const world = useOnce(() =>
    createMoneyWorld({
      startMs: Date.parse('2024-01-20T12:00:00Z'),
      scope: 'lifetime',
      feeBearer: 'builder',
    }),
  );

  /** January 2024: 4.51 USD for Ada's tool and 9.99 USD for Bob's, on one invoice. Its charge costs 72 cents. */
  beforeAll(async () => {
    const random = seededRandom('fee-bearer', 1);
    await world.putTool({ slug: 'ada', ownerId: ada, price: perCall('0.01') });
    await world.putTool({ slug: 'bob', ownerId: bob, price: perCall('0.003') });
    await world.useCases.enterCard(consumer, { answer: 'complete', card: 'visa' });
    for (const builder of [ada, bob]) await world.useCases.onboard(builder, 'complete');
    await world.passWebhooks(random);
    for (const [tool, calls] of [
      ['ada', 451],
      ['bob', 3_330],
    ] as const)
      await world.addUsage({ consumerId: consumer, tool, hour: '2024-01-20T10:00:00Z', calls });
    for (const days of [13, 8]) {
      world.clock.advance(days * 24 * hourMs);
      await world.runDueWork();
      await world.passWebhooks(random);
    }
  }, 60_000);

  function findAll(database: Database): Promise<string[]> {
    return findInBooks(database, createSandboxProcessor({ database, clock: world.clock }), '2024-01');
  }

  it('bear it in proportion to their earnings, and the platform bears nothing', async () => {
    const text = `select builder_id, amount_micros::int from ${share} order by builder_id`;
    expect(await world.owner.query(text)).toEqual([
      { builder_id: ada, amount_micros: 223_945 },
      { builder_id: bob, amount_micros: 496_055 },
    ]);
    const sums = await sumFees(world.owner, {});
    expect(sums.map(({ period, of, amountMicros }) => [period, of, amountMicros])).toEqual([
      ['2024-02', 'borne_by_builders', -720_000n],
      ['2024-02', 'charge_fees', 720_000n],
      ['2024-02', 'collected', 14_500_000n],
    ]);
  });

  it('are paid the rest, and see the fee on payout and statement', async () => {
    const { owner, clock } = world;
    const processor = { name: 'sandbox' };
    const payouts = createPayouts({ api: owner, worker: owner, processor, scope: 'lifetime', clock });
    const found = await payouts.findPayout({ builderId: ada, id: payoutIdOf(ada, '2024-01') });
    expect(toApiPayoutDetail(found)).toMatchObject({
      status: 'paid',
      net_usd: 4.28,
      fee_usd: 0,
      processor_fees_usd: 0.223945,
      carried_in: { earning_usd: 0, fee_usd: 0 },
      carried_out: { earning_usd: 0.006055, fee_usd: 0 },
    });
    const statement = await payouts.readStatement({ builderId: bob, period: '2024-01' });
    expect(statement.processorFeesMicros).toBe(496_055n);
    expect(statement.payout.netCents).toBe(949n);
    expect(statement.carriedIn.earningMicros).toBe(0n);
  });

  it('leave books in which nothing differs', async () => {
    expect(await findAll(world.checkLedgerOn)).toEqual([]);
  });

  it.each(rows)('are named by the ledger check or reconcile: %s', async (...[, sql, found]: PlantedRow) => {
    expect(await planted(world.owner, sql, findAll)).toContainEqual(expect.stringMatching(found));
  });

  it('F376 bear it on the way of each month’s money, which adds up', async () => {
    await expect(proveLedger(world.checkLedgerOn)).resolves.toBeUndefined();
  });

  it('have shares that no service and no owner changes', async () => {
    await expect(world.owner.query(`update ${share} set amount_micros = 1`)).rejects.toThrow(/never changes/);
    await expect(world.owner.query(`delete from ${share}`)).rejects.toThrow(/append-only/);
    await expect(world.checkLedgerOn.query(`update ${share} set amount_micros = 1`)).rejects.toThrow(
      /permission denied/,
    );
  });
});

describe('builder gross', () => {
  const db = useDatabase();

  it('F54 who has waited for a builder’s gross sees the months that came meanwhile', async () => {
    await db.worker.transaction((tx) => lockBuilderGross(tx, [january]));
    const released = new Map([[builderId, new Map([['2026-02', parseUsd('2000')]])]]);
    let waiting: ReturnType<typeof lockBuilderGross> | undefined;
    await db.worker.transaction(async (tx) => {
      await lockBuilderGross(tx, [february]);
      await setBuilderGross(tx, released);
      waiting = db.worker.transaction((other) => lockBuilderGross(other, [january]));
      await eventually(() => isLockAwaited(db.worker), { withinMs: 5_000 });
    });
    expect((await waiting)?.get(builderId)).toEqual(
      new Map([
        ['2026-01', parseUsd('0')],
        ['2026-02', parseUsd('2000')],
      ]),
    );
  });
});
