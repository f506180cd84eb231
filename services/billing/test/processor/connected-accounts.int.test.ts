import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { type RefreshAccount, createRefreshAccount } from '../../src/processor/follow-accounts.ts';
import { addConnectedAccount, findConnectedAccount } from '../../src/processor/sql-connected-accounts.ts';
import { isLockAwaited } from '@tollgate/testkit/is-lock-awaited';
import { silentLog } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';
import { refuseForeignMoney } from '../../src/processor/check-processor-setup.ts';
import { runReconcile } from '../../src/operator.ts';

const createdAtMs = Date.parse('2026-11-21T12:34:56.789Z');
const processor = 'sandbox';
const disabled = { areDetailsSubmitted: true, arePayoutsEnabled: false };
const enabled = { areDetailsSubmitted: true, arePayoutsEnabled: true };

const database = useDatabase();
let refreshAccount: RefreshAccount;

const add = (accountId: string, processorAccountId: string) =>
  database.api.transaction(
    (tx) => addConnectedAccount(tx, { builderId: accountId, processor, processorAccountId, createdAtMs }),
    { accountId },
  );

const find = (accountId: string, at = processor) =>
  database.api.transaction((tx) => findConnectedAccount(tx, { builderId: accountId, processor: at }), { accountId });

async function newAccount(): Promise<{ accountId: string; processorAccountId: string }> {
  const accountId = randomUUID();
  const processorAccountId = `acct_${accountId}`;
  await add(accountId, processorAccountId);
  return { accountId, processorAccountId };
}
const refusal = /PROCESSOR.* is stripe, but money in this database was moved by sandbox/;

describe('connected accounts', () => {
  beforeAll(() => {
    refreshAccount = createRefreshAccount({
      log: silentLog,
      database: database.worker,
      processor: { name: processor },
    });
  });

  it('keep the first of two accounts', async () => {
    const { accountId, processorAccountId } = await newAccount();
    await add(accountId, 'acct_second');
    expect(await find(accountId)).toMatchObject({ processorAccountId, isDisconnected: false });
  });

  it('belong to one processor: another one finds none', async () => {
    const { accountId } = await newAccount();
    expect(await find(accountId, 'another')).toBeUndefined();
  });

  it('F63 keep what was read last at the processor', async () => {
    const { accountId, processorAccountId } = await newAccount();
    const slow = Promise.withResolvers<typeof disabled>();
    const reading = Promise.withResolvers<void>();
    const first = refreshAccount(processorAccountId, () => {
      reading.resolve();
      return slow.promise;
    });
    await reading.promise;
    let isSecondDone = false;
    const second = refreshAccount(processorAccountId, async () => enabled).then(() => (isSecondDone = true));
    await eventually(async () => isSecondDone || (await isLockAwaited(database.worker)), { withinMs: 2_000 });
    slow.resolve(disabled);
    await Promise.all([first, second]);
    expect(await find(accountId)).toMatchObject(enabled);
  });

  it('stay unchanged when the processor cannot be read; it is not asked about unknown accounts', async () => {
    const { accountId, processorAccountId } = await newAccount();
    await refreshAccount(processorAccountId, async () => enabled);
    const failed = refreshAccount(processorAccountId, () => Promise.reject(new Error('away')));
    await expect(failed).rejects.toThrow('away');
    expect(await find(accountId)).toMatchObject(enabled);
    let isAsked = false;
    await refreshAccount('acct_of_nobody', async () => {
      isAsked = true;
      return enabled;
    });
    expect(isAsked).toBe(false);
  });

  it('O5 show an account no other one, and let it change nothing', async () => {
    const { accountId } = await newAccount();
    const asStranger = { accountId: randomUUID() };
    const seen = await database.api.transaction(
      (tx) => tx.query('select 1 from billing.connected_account'),
      asStranger,
    );
    expect(seen).toEqual([]);
    const grant = (statement: string) => database.api.transaction((tx) => tx.query(statement), { accountId });
    await expect(grant('update billing.connected_account set payouts_enabled = true')).rejects.toThrow(/denied/);
    await expect(grant('select 1 from sandbox.account')).rejects.toThrow(/denied/);
    await expect(grant('select 1 from billing.webhook_event')).rejects.toThrow(/denied/);
  });
});

it('starts on books without money, and on those of its own processor, and refuses those of another', async () => {
  const startWith = (processor: string) => refuseForeignMoney({ database: database.worker, processor }).start();
  await startWith('stripe');
  await database.worker.query(
    `insert into billing.processor_attempt (attempt_id, kind, subject_id, number, processor, idempotency_key, amount_cents,
       party_id, status, started_at)
     values (gen_random_uuid(), 'transfer', gen_random_uuid(), 1, 'sandbox', 'key', 100, 'acct_1', 'unknown', now())`,
  );
  await startWith('sandbox');
  await expect(startWith('stripe')).rejects.toThrow(refusal);
});

it('F126 does not reconcile the books of one processor with the objects of another', async () => {
  const reconcileWith = (PROCESSOR: string) =>
    runReconcile(
      { period: '2026-01', accountId: undefined },
      {
        workerUrl: database.database.urlFor('billing_worker'),
        environment: { PROCESSOR, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_API_URL: 'http://localhost:1' },
        log: silentLog,
      },
    );
  await expect(reconcileWith('stripe')).rejects.toThrow(refusal);
  expect(await reconcileWith('sandbox')).toMatchObject({ period: '2026-01' });
});
