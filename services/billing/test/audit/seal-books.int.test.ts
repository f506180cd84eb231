import { beforeAll, describe, expect, it } from '@jest/globals';
import { micros } from '@tollgate/kernel/money';
import type { Transaction } from '@tollgate/database/database';
import { checkChains } from '../../src/audit/check-ledger.ts';
import { createSealBooks } from '../../src/audit/seal-books.ts';
import { postLedger } from '../../src/ledger/sql-ledger.ts';
import { planted } from '../support/planted.ts';
import { useDatabase } from '../support/use-database.ts';

const db = useDatabase();
const nowMs = Date.parse('2026-12-02T00:00:00Z');

function postIn(tx: Transaction, businessKey: string): Promise<void> {
  const entries = [
    { kind: 'cash', ownerId: null, amountMicros: micros(5n) },
    { kind: 'rounding', ownerId: null, amountMicros: micros(-5n) },
  ] as const;
  return postLedger(tx, [{ businessKey, occurredAtMs: nowMs, entries }]);
}

const post = (key: string) => db.worker.transaction((tx) => postIn(tx, key));
const seal = (batchMax = 3) => createSealBooks({ database: db.worker, batchMax })(nowMs);

async function sealAll(): Promise<void> {
  while ((await seal()) > 0);
}

async function sealedKeys(): Promise<string[]> {
  const rows = await db.owner.query<{ key: string }>(
    `select business_key as key from billing.seal join billing.ledger_transaction on transaction_id = sealed_id order by place`,
  );
  return rows.map(({ key }) => key);
}

const whole = { differences: [] };

describe('F125 the chain of hashes', () => {
  beforeAll(async () => {
    for (const key of ['a', 'b', 'c', 'd']) await post(key);
  });

  it('takes each committed posting once, also from two sealers at once', async () => {
    await Promise.all([sealAll(), sealAll(), sealAll()]);
    expect(await sealedKeys()).toEqual(['a', 'b', 'c', 'd']);
    expect(await checkChains(db.worker)).toMatchObject({
      ...whole,
      heads: [expect.stringMatching(/^ledger 4 [0-9a-f]{64}$/)],
    });
    expect(await seal()).toBe(0);
  });

  it('takes a posting that commits after later ones were sealed, and holds up none that is posted', async () => {
    const other = db.openWorker();
    await other.transaction(async (late) => {
      await postIn(late, 'late');
      // `late` does not depend on it.
      await db.owner.query(`insert into billing.ledger_account (kind) values ('platform_fees')`);
      await db.worker.transaction(async (tx) => {
        const accounts = [
          { kind: 'platform_fees', ownerId: null },
          { kind: 'processor_fees', ownerId: null },
        ] as const;
        const entries = accounts.map((account, at) => ({ ...account, amountMicros: micros(at === 0 ? 7n : -7n) }));
        await postLedger(tx, [{ businessKey: 'early', occurredAtMs: nowMs, entries }]);
      });
      await sealAll();
    });
    await other.stop();
    await sealAll();
    expect((await sealedKeys()).slice(4)).toEqual(['early', 'late']);
    expect(await checkChains(db.worker)).toMatchObject(whole);
  });

  it.each([
    [
      'an amount',
      `update billing.ledger_entry set amount_micros = amount_micros * 2 where transaction_id = (select sealed_id from billing.seal where place = 2)`,
    ],
    ['an account', `update billing.ledger_account set owner_id = gen_random_uuid() where kind = 'platform_fees'`],
    ['a key', `update billing.ledger_transaction set business_key = 'e' where business_key = 'a'`],
    ['a removed posting', `delete from billing.ledger_transaction where business_key = 'b'`],
    ['a hash', `update billing.seal set hash = sha256('x') where place = 3`],
    ['a removed seal', 'delete from billing.seal where place = 1'],
  ])('breaks by %s', async (_what, sql) => {
    const { differences } = await planted(db.owner, sql, checkChains);
    expect(differences).toMatchObject([{ check: 'the chain of hashes over postings is whole' }]);
    expect(await checkChains(db.worker)).toMatchObject(whole);
  });

  it('names what no sealer can find any more', async () => {
    const { differences } = await planted(
      db.owner,
      `insert into billing.ledger_transaction (transaction_id, business_key, occurred_at, period) overriding system value
         values (200001, 'far ahead', now(), '2026-12');
       insert into billing.seal values ('ledger', 7, 200001, sha256('x'), now());
       insert into billing.ledger_transaction (business_key, occurred_at, period) values ('hidden', now(), '2026-12')`,
      checkChains,
    );
    expect(differences[0]?.examples).toContainEqual(expect.stringMatching(/^transaction \d+ was never sealed$/));
  });

  it.each(['update billing.seal set sealed_at = now()', 'delete from billing.seal', 'truncate billing.seal'])(
    'is append-only, for services and for its owner: %s',
    async (statement) => {
      await expect(db.worker.query(statement)).rejects.toThrow(/permission denied/);
      await expect(db.owner.query(statement)).rejects.toThrow(/append-only/);
    },
  );
});
