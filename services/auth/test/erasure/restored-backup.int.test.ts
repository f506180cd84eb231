import { expect, it } from '@jest/globals';
import { toIso } from '@tollgate/kernel/clock';
import { createDatabase } from '@tollgate/database/database';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createEraseAccounts } from '../../src/erasure/erase-accounts.ts';
import { runAfterRestore } from '../../src/operator.ts';
import { authSuite, type AuthUnderTest } from '../support/auth-under-test.ts';
import { findPlanted, plantAccount, plantAddress } from '../support/plant-account.ts';

const auth = authSuite();
const log = createLogger({ name: 'test', level: 'silent' });
const inBooks = ['audit.act.address', 'billing.invoice_parties.buyer'];

async function erase({ owner, clock }: AuthUnderTest): Promise<void> {
  const month = toIso(clock.now()).slice(0, 7);
  await owner.query('insert into billing.closed_period (period, closed_at) values ($1, now())', [month]);
  const worker = createDatabase({ url: auth.database.urlFor('auth_worker'), name: 'test-auth_worker', log });
  await createEraseAccounts({ worker, clock, log })();
  await worker.stop();
}

it('F363 a restored backup is erased again of what was erased since, by the acts of the log', async () => {
  const ada = await auth.signUp();
  const { account_id: id } = (await auth.me(ada.token)).body;
  await plantAccount(auth.owner, id);
  await auth.stop(); // a copy needs the database for itself
  const backup = await auth.database.backUp();

  const before = await auth.startBeside();
  const closed = await before.send('DELETE', '/v1/auth/account', {
    token: ada.token,
    body: { password: ada.password },
  });
  expect(closed).toMatchObject({ status: 200 });
  await erase(before);
  expect(await findPlanted(before.owner)).toEqual(inBooks);
  const logLines = before.logged().split('\n');
  await before.stop();

  await backup.restore();
  const result = await runAfterRestore(
    auth.database.ownerUrl,
    { clock: auth.clock, log },
    { logLines, revokesAllKeys: false },
  );
  expect(result.closedAccounts).toEqual([id]);
  const after = await auth.startBeside();
  expect((await findPlanted(after.owner)).length).toBeGreaterThan(inBooks.length);
  expect(await after.me(ada.token)).toMatchObject({ status: 401 });
  await plantAddress(after.owner, id);
  await erase(after);
  expect(await findPlanted(after.owner)).toEqual(inBooks);
  expect(await findPlanted(after.owner, ada.email)).toEqual([]);
});
