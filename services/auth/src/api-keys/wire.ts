import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import { every } from '@tollgate/runtime/timing/every';
import { apiKeysController } from './api-keys.controller.ts';
import { createCreateApiKey } from './create-api-key.ts';
import { createListApiKeys } from './list-api-keys.ts';
import { createRevokeApiKey } from './revoke-api-key.ts';
import { createSeeExpiredKeys } from './see-expired-keys.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Clock;
  readonly idempotency: Idempotency;
  /** How many live keys an account may have. */
  readonly keysMax: number;
  readonly credentialsChanged: () => Promise<void>;
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  readonly log: Logger;
}

const lookEveryMs = 30_000;

export function wireApiKeys(deps: Deps) {
  const useCases = {
    createApiKey: createCreateApiKey(deps),
    listApiKeys: createListApiKeys(deps),
    revokeApiKey: createRevokeApiKey(deps),
  };
  const seeExpiredKeys = createSeeExpiredKeys(deps);
  const look = async (): Promise<void> => {
    deps.clockCheck.requireRight();
    await seeExpiredKeys();
  };
  const parts = [every({ name: 'expired-api-keys', everyMs: lookEveryMs, run: look, log: deps.log })];
  return { useCases, controllers: [apiKeysController({ ...deps, ...useCases })], parts };
}
