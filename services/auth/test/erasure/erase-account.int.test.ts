import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { createDatabase, onlyRow, type Database } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createEraseAccounts } from '../../src/erasure/erase-accounts.ts';
import { authSuite, type SignedUp } from '../support/auth-under-test.ts';
import { columnClasses } from '../support/personal-columns.ts';
import { classOf, findPlanted, listTextColumns, plantAccount, plantAddress } from '../support/plant-account.ts';

const auth = authSuite();
let ada: SignedUp & { readonly id: string };

beforeEach(async () => {
  const account = await auth.signUp();
  ada = { ...account, id: (await auth.me(account.token)).body.account_id };
});

const silent = createLogger({ name: 'test', level: 'silent' });
const warnings: unknown[] = [];
const log = { warn: (...line: unknown[]) => void warnings.push(line) };
const eraseWith = (worker: Database) => createEraseAccounts({ worker, clock: auth.clock, log })();
const erase = () => eraseWith(auth.connectAs('auth_worker'));
const close = () => auth.send('DELETE', '/v1/auth/account', { token: ada.token, body: { password: ada.password } });

async function closeMonth(): Promise<void> {
  const month = toIso(auth.clock.now()).slice(0, 7);
  await auth.owner.query('insert into billing.closed_period (period, closed_at) values ($1, now()) on conflict do nothing', [month]); // prettier-ignore
}

const erasure = async (id = ada.id) => {
  const text = 'select erased_at is not null as erased, waits_for from auth.erasure where account_id = $1';
  return onlyRow(await auth.owner.query<{ erased: boolean; waits_for: string[] }>(text, [id]));
};
const erasedActs = () =>
  auth.owner.query(`select from audit.act where account_id = $1 and action = 'account.erased'`, [ada.id]);

/** The planted text stays in books: what an invoice said of its buyer, and the audit trail. */
const inBooks = ['audit.act.address', 'billing.invoice_parties.buyer'];

async function plantAndClose(): Promise<void> {
  expect(await close()).toMatchObject({ status: 200 });
  await plantAccount(auth.owner, ada.id); // the close itself ends some of it
  await plantAddress(auth.owner, ada.id);
  await closeMonth();
}

describe('the columns that can hold text', () => {
  it('F362 each have a class: a new one is erased with its account, or is told apart', async () => {
    const columns = await listTextColumns(auth.owner);
    expect(columns.filter((column) => classOf(column) === undefined)).toEqual([]);
    const classed = Object.entries(columnClasses).flatMap(([table, names]) =>
      Object.keys(names).map((name) => `${table}.${name}`),
    );
    expect(classed.filter((column) => !columns.includes(column))).toEqual([]);
  });
});

describe('an erasure', () => {
  it('F362 leaves nothing that its person wrote, in any column but those of books; other accounts keep theirs', async () => {
    await plantAndClose();
    const bob = await auth.signUp();
    await plantAccount(auth.owner, (await auth.me(bob.token)).body.account_id, 'planted-by-bob');
    const bobs = await findPlanted(auth.owner, 'planted-by-bob');
    const hadBefore = new Set(await findPlanted(auth.owner));
    const columns = (await listTextColumns(auth.owner)).filter((column) => classOf(column) === 'erased');
    expect(columns.filter((column) => !hadBefore.has(column))).toEqual(['billing.connected_account.country']);
    await erase();
    expect(warnings).toEqual([]);
    expect(await erasure()).toEqual({ erased: true, waits_for: [] });
    expect(await findPlanted(auth.owner)).toEqual(inBooks);
    expect(await findPlanted(auth.owner, ada.email)).toEqual([]);
    expect(await findPlanted(auth.owner, 'planted-by-bob')).toEqual(bobs);
    expect(bobs.length).toBeGreaterThan(50);
    const kept = await auth.owner.query<{ metadata: object }>(
      'select distinct metadata from usage.event where consumer_id = $1',
      [ada.id],
    );
    expect(kept).toEqual([{ metadata: { tokens: 12 } }]); // the sum of the price stays
    expect(await auth.post('/v1/auth/register', ada)).toMatchObject({ status: 201 });
  });

  it('F362 is whole in the end, wherever the job dies or loses an answer, and is told once', async () => {
    await plantAndClose();
    const worker = auth.connectAs('auth_worker');
    const ends = new Set<unknown>();
    for (let steps = 1; !(await erasure()).erased; steps += 1)
      for (const dies of ['before', 'after'] as const)
        ends.add(await eraseWith(dying(worker, steps, dies)).catch((error: Error) => error.message));
    expect(ends).toEqual(new Set(['killed', undefined])); // an account that fails is logged, and the job goes on
    await Promise.all([erase(), erase(), erase()]);
    expect(await findPlanted(auth.owner)).toEqual(inBooks);
    expect(await erasedActs()).toHaveLength(1);
  });

  it('F362 of one account that fails holds up no other', async () => {
    await plantAndClose();
    const bob = await auth.signUp();
    const bobsId = (await auth.me(bob.token)).body.account_id;
    await auth.send('DELETE', '/v1/auth/account', { token: bob.token, body: { password: bob.password } });
    await auth.owner.query(`create function public.fail() returns trigger language plpgsql as
      $$ begin if old.account_id = '${ada.id}' then raise exception 'locked away'; end if; return old; end $$`);
    await auth.owner.query(
      'create trigger fail before delete on notify.mail for each row execute function public.fail()',
    );
    await erase();
    expect(await erasure(bobsId)).toMatchObject({ erased: true });
    expect(await erasure()).toMatchObject({ erased: false });
    await auth.owner.query('drop function public.fail() cascade');
    await erase();
    expect(await findPlanted(auth.owner)).toEqual(inBooks);
  });
});

describe('an erasure waits', () => {
  const invoice = `insert into billing.invoice (invoice_id, number, consumer_id, period, status, charge_micros, carried_in_micros,
    total_cents, carried_out_micros, issued_at, due_at)
    select $2, coalesce(max(number), 0) + 1, $1, '2025-11', 'open', 10000, 0, 1, 0, now(), now() from billing.invoice`;
  const payable = (sign: '' | '-') => `insert into billing.ledger_account (kind, owner_id, balance_micros)
    select 'builder_payable', $1, ${sign}1 where $2::uuid is not null`;
  const noPayable = `update billing.ledger_account set balance_micros = 0 where owner_id = $1 and $2::uuid is not null`;

  it.each([
    [
      'invoice',
      invoice,
      `update billing.invoice set status = 'uncollectible' where consumer_id = $1 and invoice_id = $2`,
    ],
    [
      'dispute',
      `with t as (insert into billing.top_up (top_up_id, account_id, amount_cents, status, created_at, succeeded_at)
         values ($2, $1, 100, 'succeeded', now(), now()) returning top_up_id)
       insert into billing.dispute (dispute_id, processor, processor_dispute_id, top_up_id, amount_cents, status, opened_at)
       select $2, 'sandbox', $2::uuid::text, top_up_id, 100, 'open', now() from t`,
      `update billing.dispute set status = 'won', closed_at = now() where dispute_id = $2 and $1::uuid is not null`,
    ],
    [
      'payment',
      `insert into billing.top_up (top_up_id, account_id, amount_cents, status, created_at) values ($2, $1, 100, 'pending', now())`,
      `update billing.top_up set status = 'failed' where account_id = $1 and top_up_id = $2`,
    ],
    [
      'payout',
      `insert into billing.payout (payout_id, builder_id, period, status, net_cents, fee_cents, earning_left_micros, fee_left_micros,
         due_at, created_at) values ($2, $1, '2025-11', 'scheduled', 1, 0, 0, 0, now(), now())`,
      `update billing.payout set status = 'paid', paid_at = now(), due_at = null where builder_id = $1 and payout_id = $2`,
    ],
    ['payout', payable('-'), noPayable],
    ['negative_balance', payable(''), noPayable],
    [
      'call',
      `insert into gate.hold (hold_id, account_id, asker_id, tool_id, price_id, event_id, max, held_micros, cap_ids, state, asked_at,
         expires_at) values ($2, $1, $1, 'search', $2, $2, '{}', 1, '{}', 'open', now(), now())`,
      `update gate.hold set state = 'expired' where account_id = $1 and hold_id = $2`,
    ],
  ])('F361 as long as this is open, and says so to the operator: %s', async (reason, plant, settle) => {
    const id = randomUUID();
    await alone(plant, [ada.id, id]);
    await close();
    await closeMonth();
    for (const _time of [1, 2]) await erase();
    expect(await erasure()).toEqual({ erased: false, waits_for: [reason] });
    const { email } = onlyRow(await auth.owner.query<{ email: string }>('select email from auth.account where account_id = $1', [ada.id])); // prettier-ignore
    expect(email).toBe(ada.email);
    await alone(settle, [ada.id, id]);
    await erase();
    expect(await erasure()).toEqual({ erased: true, waits_for: [] });
  });

  it('F361 for the close of the month of its last calls', async () => {
    auth.clock.advance(40 * dayMs);
    const bob = await auth.signUp();
    ada = { ...bob, id: (await auth.me(bob.token)).body.account_id };
    await close();
    await erase();
    expect(await erasure()).toEqual({ erased: false, waits_for: ['month'] });
    await closeMonth();
    await erase();
    expect(await erasure()).toEqual({ erased: true, waits_for: [] });
  });
});

/** Writes rows without what belongs to them, such as the lines of an invoice. */
async function alone(text: string, values: readonly unknown[]): Promise<void> {
  const superuser = createDatabase({ url: auth.database.superuserUrl, name: 'test-superuser', log: silent });
  await superuser.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(text, values);
  });
  await superuser.stop();
}

/** The connection of a process that dies at a statement or a transaction: before it, or when its answer is lost. */
function dying(worker: Database, steps: number, dies: 'before' | 'after'): Database {
  let left = steps;
  const step = async <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left <= 0 && dies === 'before') throw new Error('killed');
    const result = await work();
    if (left <= 0) throw new Error('killed');
    return result;
  };
  return {
    ...worker,
    query: ((...statement: Parameters<Database['query']>) =>
      step(() => worker.query(...statement))) as Database['query'],
    transaction: ((...work: Parameters<Database['transaction']>) =>
      step(() => worker.transaction(...work))) as Database['transaction'],
  };
}
