import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { onlyRow, type Database } from '@tollgate/database/database';
import { someInLanding } from '@tollgate/testkit/lane';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { checkLedger } from '../../src/audit/check-ledger.ts';
import type { PlantedRow } from '../support/plant-sql.ts';
import { disputeRows, inboxRows, orderRows, processorRows } from '../support/planted-at-processor.ts';
import { invoiceRows, keyRows, sealRows, usageRows } from '../support/planted-in-documents.ts';
import { capRows } from '../support/planted-in-caps.ts';
import { builderRows, postingRows } from '../support/planted-in-ledger.ts';
import { planted } from '../support/planted.ts';
import { createReconciledMonth, otherBuilder, type ReconciledMonth } from '../support/reconciled-month.ts';

let month: ReconciledMonth;

/** January with a dispute that was lost and one that was won, and a second builder with an account of its own. */
beforeAll(async () => {
  month = await createReconciledMonth();
  const { world } = month;
  const text = `select object_id as id from sandbox.movement where kind = 'charge' and status = 'succeeded'`;
  const { id: chargeObjectId } = onlyRow(await world.owner.query<{ id: string }>(text));
  await world.bank.dispute({ chargeObjectId, amountCents: 40n, outcome: 'lost' });
  await world.bank.dispute({ chargeObjectId, amountCents: 20n, outcome: 'won' });
  await world.useCases.onboard(otherBuilder, 'complete');
  await month.passWebhooks();
}, 60_000);
afterAll(() => month.world.drop());

/** Everything that reconcile and the ledger check say of these books, one text per row. */
async function findAll(database: Database): Promise<string[]> {
  const { steps } = await month.reconcileOn(database);
  const { differences } = await checkLedger(database);
  return [
    ...steps.flatMap(({ name, rows }) => rows.map((row) => `${name}: ${row}`)),
    ...differences.flatMap(({ check, examples }) => examples.map((row) => `${check}: ${row}`)),
  ];
}

const random = seededRandom('planted differences');

const some = (...rows: readonly PlantedRow[]) => someInLanding(rows, random);

describe('F121 reconcile and the ledger check', () => {
  it('find nothing in healthy books', async () => {
    expect(await findAll(month.world.checkLedgerOn)).toEqual([]);
    expect(month.world.clock.now()).toBeGreaterThan(Date.parse('2024-02-10'));
  });

  it.each(some(...usageRows, ...invoiceRows, ...postingRows))('name in usage, invoices and ledger: %s', expectNamed);
  it.each(some(...keyRows, ...sealRows))('F278 name in keys and seals of usage: %s', expectNamed);
  it.each(some(...inboxRows))('F278 name in the inbox of webhooks: %s', expectNamed);
  it.each(some(...capRows))('F244 name in spending caps: %s', expectNamed);
  it.each(some(...builderRows, ...orderRows))('name in payouts and orders: %s', expectNamed);
  it.each(some(...processorRows, ...disputeRows))('name at the processor and in disputes: %s', expectNamed);

  async function expectNamed(...[, sql, found]: PlantedRow): Promise<void> {
    expect(await planted(month.world.owner, sql, findAll)).toContainEqual(expect.stringMatching(found));
  }
});
