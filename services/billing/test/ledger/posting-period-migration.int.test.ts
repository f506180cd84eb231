import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createDatabase, type Database } from '@tollgate/database/database';
import { migrate } from '@tollgate/database/migrate';
import { migrateThrough } from '@tollgate/testkit/migrate-through';
import { emptyTestDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { checkChains } from '../../src/audit/check-chains.ts';
import { sealHash, noSeal } from '../../src/audit/seal-hash.ts';
import { createSealBooks } from '../../src/audit/seal-books.ts';
import { putLargeInvoice } from '../support/put-large-invoice.ts';
import { silentLog as log } from '../support/silent-log.ts';

const consumerId = '10000000-0000-4000-8000-000000000000';
const builderId = '00000000-0000-4000-8000-00000000000b';
const nowMs = Date.parse('2026-12-05T00:00:00Z');

let test: TestDatabase;
let owner: Database;
let sealedHash: Buffer;
let invoiceId: string;

const post = (key: string, at: string) =>
  owner.query(
    `with posted as (
       insert into billing.ledger_transaction (business_key, occurred_at) values ($1, $2) returning transaction_id
     )
     insert into billing.ledger_entry (transaction_id, place, ledger_account_id, amount_micros)
     select transaction_id, place, ledger_account_id, micros from posted
     join (select 1 as place, 'cash' as kind, 5 as micros union all select 2, 'rounding', -5) e on true
     join billing.ledger_account using (kind)`,
    [key, at],
  );

beforeAll(async () => {
  test = await emptyTestDatabase();
  await migrateThrough(test.ownerUrl, '0075_consumer_balance');
  owner = createDatabase({ url: test.ownerUrl, name: 'test-owner', log });
  await owner.query(`insert into billing.ledger_account (kind) values ('cash'), ('rounding')`);
  const sizes = { tools: 1, linesPerTool: 1, issuedAtMs: Date.parse('2026-11-02T03:00:00Z') };
  invoiceId = await putLargeInvoice(owner, { consumerId, builderId, period: '2026-10', ...sizes });
  await post(`close:${invoiceId}`, '2026-11-02T03:00:00Z');
  await post('paid', '2026-11-30T23:59:59Z');
  await owner.query(`insert into billing.closed_period values ('2026-10', '2026-11-02T03:00:00Z')`);
  // The version before seals one of them, and is stopped.
  const [row] = await owner.query<{ content: Buffer }>('select billing.content_of_posting(1) as content');
  sealedHash = sealHash(noSeal, row?.content ?? Buffer.alloc(0));
  await owner.query(`insert into billing.seal values ('ledger', 1, 1, $1, now())`, [sealedHash]);
  const rolePasswords = (role: string) => new URL(test.urlFor(role)).password;
  await migrate({ ownerUrl: test.ownerUrl, rolePasswords, log });
});

afterAll(async () => {
  await owner.stop();
  await test.drop();
});

describe('F217 the migration that gives each posting its period', () => {
  it('fills what was posted before, and counts what months were closed with', async () => {
    expect(
      await owner.query('select business_key, period from billing.ledger_transaction order by transaction_id'),
    ).toEqual([
      { business_key: `close:${invoiceId}`, period: '2026-10' },
      { business_key: 'paid', period: '2026-11' },
    ]);
    expect(await owner.query('select postings::int from billing.closed_period')).toEqual([{ postings: 1 }]);
  });

  it('leaves every hash valid, and new seals cover the period', async () => {
    await createSealBooks({ database: owner })(nowMs);
    expect(
      await owner.query(
        `select place::int, encode(hash, 'hex') as hash, form from billing.seal where chain = 'ledger' order by place`,
      ),
    ).toMatchObject([
      { place: 1, hash: sealedHash.toString('hex'), form: 1 },
      { place: 2, form: 2 },
    ]);
    expect(await checkChains(owner)).toMatchObject({ differences: [] });
  });

  it('takes postings and seals of a process of the version before', async () => {
    await post('old process', '2026-12-01T00:00:00Z');
    const [row] = await owner.query<{ content: Buffer; hash: Buffer }>(
      'select billing.content_of_posting(3) as content, hash from billing.seal where place = 2',
    );
    if (!row) throw new Error('the second seal is missing');
    await owner.query(
      `insert into billing.seal (chain, place, sealed_id, hash, sealed_at) values ('ledger', 3, 3, $1, now())`,
      [sealHash(row.hash, row.content)],
    );
    expect(
      await owner.query(`select period from billing.ledger_transaction where business_key = 'old process'`),
    ).toEqual([{ period: '2026-12' }]);
    expect(await checkChains(owner)).toMatchObject({ differences: [] });
  });
});
