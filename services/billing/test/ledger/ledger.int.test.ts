import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import { type Database, type Transaction, onlyRow } from '@tollgate/database/database';
import { postLedger } from '../../src/ledger/sql-ledger.ts';
import { useDatabase } from '../support/use-database.ts';
import { eventually } from '@tollgate/testkit/eventually';
import { sumBalances, sumRevenue } from '../../src/audit/sql-sum-ledger.ts';
import { insertClosedPeriod } from '../../src/invoicing/sql-closed-periods.ts';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { putLargeInvoice } from '../support/put-large-invoice.ts';

const consumerId = randomUUID();
const builderId = randomUUID();

const newTransaction = (key: string) =>
  `insert into billing.ledger_transaction (business_key, occurred_at) values ('${key}', '2026-12-02Z')`;

const entriesOf = (key: string, amounts: readonly string[], from = 1) => `
  insert into billing.ledger_entry (transaction_id, place, ledger_account_id, amount_micros)
  select transaction_id, t.place + ${from - 1}, (select min(ledger_account_id) from billing.ledger_account), t.amount
  from billing.ledger_transaction, unnest('{${amounts.join(',')}}'::numeric[]) with ordinality as t (amount, place)
  where business_key = '${key}'`;

async function run(role: Database, statements: readonly string[]): Promise<void> {
  await role.transaction(async (tx) => {
    for (const statement of statements) await tx.query(statement);
  });
}
let invoiceId: string;
const atMs = Date.parse;

async function postIn(tx: Transaction, businessKey: string, occurredAtMs: number): Promise<void> {
  const entries = [
    { kind: 'cash', ownerId: null, amountMicros: micros(5n) },
    { kind: 'platform_fees', ownerId: null, amountMicros: micros(-5n) },
  ] as const;
  await postLedger(tx, [{ businessKey, occurredAtMs, entries }]);
}
const closeIn = (tx: Transaction, period: string) => insertClosedPeriod(tx, period, atMs('2027-06-01T00:00:00Z'));

describe('the ledger', () => {
  /**
   * These tests show what the database itself promises of the ledger. Each test tries to break it by what a service, or
   * its owner, may do.
   */
  const db = useDatabase();

  beforeAll(() => post('close:first', 250n));

  async function post(businessKey: string, amount: bigint): Promise<void> {
    const entries = [
      { kind: 'receivable', ownerId: consumerId, amountMicros: micros(amount) },
      { kind: 'builder_earned', ownerId: builderId, amountMicros: micros(-amount) },
    ] as const;
    const posting = { businessKey, occurredAtMs: Date.parse('2026-12-02T00:00:00Z'), entries };
    await db.worker.transaction((tx) => postLedger(tx, [posting]));
  }

  async function balances(): Promise<Record<string, string>> {
    const rows = await db.owner.query<{ kind: string; balance_micros: string }>(
      'select kind, balance_micros from billing.ledger_account order by kind',
    );
    return Object.fromEntries(rows.map((row) => [row.kind, row.balance_micros]));
  }

  it('keeps balances equal to their entries, whoever posts at once', async () => {
    const amounts = Array.from({ length: 12 }, (_, index) => BigInt(index + 1));
    await Promise.all(amounts.map((amount) => post(`close:at once ${amount}`, amount)));
    expect(await balances()).toEqual({ receivable: '328', builder_earned: '-328' });
  });

  it('holds amounts of any size to the last digit', async () => {
    const huge = 10n ** 36n + 1n;
    await post('close:huge', huge);
    expect(await balances()).toMatchObject({ receivable: String(328n + huge) });
    await post('close:huge back', -huge);
    expect(await balances()).toMatchObject({ receivable: '328' });
  });

  it('refuses a transaction that does not sum to zero, at the commit', async () => {
    const before = await balances();
    await expect(run(db.worker, [newTransaction('a'), entriesOf('a', ['5', '-4'])])).rejects.toThrow(
      /does not balance/,
    );
    await expect(run(db.worker, [newTransaction('a')])).rejects.toThrow(/does not balance: 0 entries/);
    expect(await balances()).toEqual(before);
  });

  it('refuses it also to who makes the constraint run early and goes on afterwards', async () => {
    const early = [newTransaction('b'), entriesOf('b', ['5', '-5']), 'set constraints all immediate'];
    await expect(run(db.worker, [...early, entriesOf('b', ['7', '-6'], 3)])).rejects.toThrow(/takes no more entries/);
  });

  it('takes no more entries once it is posted, balanced or not', async () => {
    for (const role of [db.worker, db.owner])
      await expect(run(role, [entriesOf('close:first', ['5', '-5'], 3)])).rejects.toThrow(/takes no more entries/);
  });

  it('posts a business key once, and of two at once one', async () => {
    await expect(post('close:first', 250n)).rejects.toThrow(/duplicate key/);
    const twice = await Promise.allSettled([post('close:race', 1n), post('close:race', 1n)]);
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  it.each([['0'], ['0.5'], ['NaN'], ['Infinity'], ['null']])('takes no amount of %s', async (amount) => {
    await expect(run(db.worker, [newTransaction('c'), entriesOf('c', [amount, amount])])).rejects.toThrow(/constraint/);
  });

  it('takes no entry of a transaction or an account that is not there', async () => {
    const nowhere = `insert into billing.ledger_entry select 999, place, ledger_account_id, amount_micros from billing.ledger_entry
      where transaction_id = (select min(transaction_id) from billing.ledger_entry)`;
    await expect(run(db.worker, [nowhere])).rejects.toThrow('there is no such ledger transaction');
    const nobody = `insert into billing.ledger_entry
      select transaction_id, place, 999, place * 2 - 3 from billing.ledger_transaction, generate_series(1, 2) as place
      where business_key = 'e'`;
    await expect(run(db.worker, [newTransaction('e'), nobody])).rejects.toThrow('there is no such ledger account');
  });

  it.each([
    'update billing.ledger_entry set amount_micros = 1',
    'update billing.ledger_transaction set occurred_at = now()',
    'delete from billing.ledger_entry',
    'delete from billing.ledger_transaction',
    'delete from billing.ledger_account',
    'truncate billing.ledger_entry, billing.ledger_transaction, billing.ledger_account',
    'truncate billing.ledger_account cascade',
    'update billing.ledger_account set balance_micros = 0',
    `update billing.ledger_account set owner_id = '${randomUUID()}'`,
  ])('is append-only, for services and for its owner: %s', async (statement) => {
    const before = await balances();
    await expect(run(db.worker, [statement])).rejects.toThrow(/permission denied/);
    await expect(run(db.api, [statement])).rejects.toThrow(/permission denied/);
    await expect(run(db.owner, [statement])).rejects.toThrow(/append-only/);
    expect(await balances()).toEqual(before);
  });

  it('begins every account at zero', async () => {
    const withBalance = (kind: string) =>
      `insert into billing.ledger_account (kind, owner_id, balance_micros) values ('${kind}', null, 5)`;
    await expect(run(db.worker, [withBalance('cash')])).rejects.toThrow(/permission denied/);
    await run(db.owner, [withBalance('cash')]);
    expect(await balances()).toMatchObject({ cash: '0' });
    await expect(run(db.worker, [`insert into billing.ledger_account (kind) values ('cash')`])).rejects.toThrow(
      /duplicate/,
    );
  });

  it('cannot be switched off by a service', async () => {
    for (const statement of [
      'alter table billing.ledger_entry disable trigger all',
      'set session_replication_role = replica',
      'select billing.post_entries()',
    ])
      await expect(run(db.worker, [statement])).rejects.toThrow(/must be owner|permission denied/);
  });

  it('shows an account its own and nothing else, and without an account nothing', async () => {
    const visible = async (accountId?: string) =>
      db.api.transaction(
        async (tx) => {
          const accounts = await tx.query<{ kind: string }>('select kind from billing.ledger_account');
          const entries = await tx.query<{ n: number }>('select count(*)::int as n from billing.ledger_entry');
          return { kinds: accounts.map(({ kind }) => kind), entries: onlyRow(entries).n > 0 };
        },
        accountId === undefined ? {} : { accountId },
      );
    expect(await visible(consumerId)).toEqual({ kinds: ['receivable'], entries: true });
    expect(await visible(builderId)).toEqual({ kinds: ['builder_earned'], entries: true });
    expect(await visible(randomUUID())).toEqual({ kinds: [], entries: false });
    expect(await visible()).toEqual({ kinds: [], entries: false });
    await expect(run(db.api, [newTransaction('d')])).rejects.toThrow(/permission denied/);
  });
});

describe('F216 the accounting period of a posting', () => {
  const db = useDatabase();

  const post = (key: string, occurredAt: string) => db.worker.transaction((tx) => postIn(tx, key, atMs(occurredAt)));
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
