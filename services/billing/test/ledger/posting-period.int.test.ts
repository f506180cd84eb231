import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import { sumBalances, sumRevenue } from '../../src/audit/sql-sum-ledger.ts';
import { insertClosedPeriod } from '../../src/invoicing/sql-closed-periods.ts';
import { postLedger } from '../../src/ledger/sql-ledger.ts';
import { isLockAwaited } from '../support/is-lock-awaited.ts';
import { putLargeInvoice } from '../support/put-large-invoice.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();
let invoiceId: string;
const atMs = Date.parse;

async function postIn(tx: Transaction, businessKey: string, occurredAtMs: number): Promise<void> {
  const entries = [
    { kind: 'cash', ownerId: null, amountMicros: micros(5n) },
    { kind: 'platform_fees', ownerId: null, amountMicros: micros(-5n) },
  ] as const;
  await postLedger(tx, [{ businessKey, occurredAtMs, entries }]);
}

const post = (key: string, occurredAt: string) => db.worker.transaction((tx) => postIn(tx, key, atMs(occurredAt)));
const closeIn = (tx: Transaction, period: string) => insertClosedPeriod(tx, period, atMs('2027-06-01T00:00:00Z'));
const close = (period: string) => db.worker.transaction((tx) => closeIn(tx, period));

async function periodOf(key: string): Promise<string | undefined> {
  const text = 'select period from billing.ledger_transaction where business_key = $1';
  return (await db.owner.query<{ period: string }>(text, [key]))[0]?.period;
}

const closedWith = (period: string) =>
  db.owner.query('select postings::int from billing.closed_period where period = $1', [period]);

beforeAll(async () => {
  const sizes = { tools: 1, linesPerTool: 1, issuedAtMs: atMs('2026-11-02T03:00:00Z') };
  const invoice = { consumerId: randomUUID(), builderId: randomUUID(), period: '2026-10', ...sizes };
  invoiceId = await putLargeInvoice(db.owner, invoice);
});

describe('F216 the accounting period of a posting', () => {
  it('is the month that a close bills, and of everything else the month in UTC in which it happened', async () => {
    await post(`close:${invoiceId}`, '2026-11-02T03:00:00Z');
    await post('last moment', '2026-10-31T23:59:59.999Z');
    await post('first moment', '2026-11-01T00:00:00Z');
    expect(await periodOf(`close:${invoiceId}`)).toBe('2026-10');
    expect(await periodOf('last moment')).toBe('2026-10');
    expect(await periodOf('first moment')).toBe('2026-11');
  });

  it('parts the trial balance and the revenue by months', async () => {
    expect(await sumBalances(db.worker, '2026-09')).toEqual(new Map());
    expect((await sumBalances(db.worker, '2026-10')).get('cash')).toBe(10n);
    expect(await sumBalances(db.worker, '2026-11')).toEqual(await sumBalances(db.worker, undefined));
    expect(await sumRevenue(db.worker, {})).toEqual([
      { period: '2026-11', kind: 'platform_fees', amountMicros: -5n },
      { period: '2026-10', kind: 'platform_fees', amountMicros: -10n },
    ]);
  });

  it('is no more a month that is closed: what comes late stands in the first open one', async () => {
    await close('2026-10');
    expect(await closedWith('2026-10')).toEqual([{ postings: 2 }]);
    await post('late', '2026-10-31T12:00:00Z');
    expect(await periodOf('late')).toBe('2026-11');
    await expect(post(`close:${invoiceId}`, '2026-11-02T03:00:00Z')).rejects.toThrow(/duplicate key|is closed/);
  });

  it('of a posting under way is in the count of the close, which waits for it', async () => {
    const other = db.openWorker();
    const closing = await other.transaction(async (poster) => {
      await postIn(poster, 'under way', atMs('2026-11-30T23:59:59Z'));
      const closed = close('2026-11');
      await eventually(() => isLockAwaited(db.owner), { withinMs: 5_000 });
      return { closed };
    });
    await closing.closed;
    await other.stop();
    expect(await closedWith('2026-11')).toEqual([{ postings: 3 }]);
  });

  it('of a posting that waited for the close is the next month, once it is tried again', async () => {
    const other = db.openWorker();
    const refused = await other.transaction(async (closer) => {
      await closeIn(closer, '2026-12');
      const posting = post('too late', '2026-12-31T23:59:59Z').catch((error: unknown) => error);
      await eventually(() => isLockAwaited(db.owner), { withinMs: 5_000 });
      return { posting };
    });
    expect(await refused.posting).toMatchObject({ message: expect.stringMatching('period 2026-12 is closed') });
    await other.stop();
    await post('too late', '2026-12-31T23:59:59Z');
    expect(await periodOf('too late')).toBe('2027-01');
  });

  it('is looked up by the key of the invoice, while so few are there that reading all looks cheaper', async () => {
    const scans = await db.owner.transaction(async (tx) => {
      await tx.query('analyze billing.invoice'); // the planner takes a table for larger until it knows
      const period = 'select billing.period_of_posting($1, $2)';
      for (let each = 0; each < 10; each += 1) await tx.query(period, [`close:${invoiceId}`, '2027-01-05T00:00:00Z']);
      return tx.query(
        `select seq_scan::int from pg_stat_xact_user_tables where relname = 'invoice' and schemaname = 'billing'`,
      );
    });
    expect(scans).toEqual([{ seq_scan: 0 }]);
  });

  it('cannot be given or changed, by services or by the owner', async () => {
    const given = `insert into billing.ledger_transaction (business_key, occurred_at, period) values ('x', '2027-01-05Z', '2026-10')`;
    await expect(db.worker.query(given)).rejects.toThrow(/permission denied/);
    const change = `update billing.ledger_transaction set period = '2027-02'`;
    await expect(db.worker.query(change)).rejects.toThrow(/permission denied/);
    await expect(db.owner.query(change)).rejects.toThrow(/append-only/);
    const recount = 'update billing.closed_period set postings = 99';
    await expect(db.worker.query(recount)).rejects.toThrow(/permission denied/);
    await expect(db.owner.query(recount)).rejects.toThrow(/append-only/);
  });
});
