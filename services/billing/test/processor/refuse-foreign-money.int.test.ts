import { expect, it } from '@jest/globals';
import { refuseForeignMoney } from '../../src/processor/refuse-foreign-money.ts';
import { runReconcile } from '../../src/operator.ts';
import { silentLog } from '../support/silent-log.ts';
import { useDatabase } from '../support/use-database.ts';

const database = useDatabase();
const refusal = /PROCESSOR.* is stripe, but money in this database was moved by sandbox/;

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
