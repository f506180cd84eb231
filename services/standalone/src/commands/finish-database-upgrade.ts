import { finishUpgrade } from '@tollgate/database/finish-upgrade';

import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator finish-upgrade`: once no process of an earlier version runs. */
export async function finishDatabaseUpgrade(choice: DatabaseChoice): Promise<string> {
  return withDatabase(choice, async ({ ownerUrl }) =>
    (await finishUpgrade(ownerUrl))
      ? 'The upgrade is finished: event ids of idempotency keys are made with the secret of this database, and keys may be archived.'
      : 'Nothing was left to do.',
  );
}
