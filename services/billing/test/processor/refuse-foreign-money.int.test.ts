import { expect, it } from '@jest/globals';
import { refuseForeignMoney } from '../../src/processor/refuse-foreign-money.ts';
import { useDatabase } from '../support/use-database.ts';

const database = useDatabase();

it('starts on books without money, and on those of its own processor, and refuses those of another', async () => {
  const startWith = (processor: string) => refuseForeignMoney({ database: database.worker, processor }).start();
  await startWith('stripe');
  await database.worker.query(
    `insert into billing.processor_attempt (attempt_id, kind, subject_id, number, processor, idempotency_key, amount_cents,
       party_id, status, started_at)
     values (gen_random_uuid(), 'transfer', gen_random_uuid(), 1, 'sandbox', 'key', 100, 'acct_1', 'unknown', now())`,
  );
  await startWith('sandbox');
  await expect(startWith('stripe')).rejects.toThrow(
    /PROCESSOR.* is stripe, but money in this database was moved by sandbox/,
  );
});
