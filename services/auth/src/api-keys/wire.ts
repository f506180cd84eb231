import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import { apiKeysController } from './api-keys.controller.ts';
import { createCreateApiKey } from './create-api-key.ts';
import { createListApiKeys } from './list-api-keys.ts';
import { createRevokeApiKey } from './revoke-api-key.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly clock: Clock;
  readonly idempotency: Idempotency;
  /** How many live keys an account may have. */
  readonly keysMax: number;
  readonly credentialsChanged: () => Promise<void>;
}

export function wireApiKeys(deps: Deps) {
  const useCases = {
    createApiKey: createCreateApiKey(deps),
    listApiKeys: createListApiKeys(deps),
    revokeApiKey: createRevokeApiKey(deps),
  };
  return { useCases, controllers: [apiKeysController({ ...deps, ...useCases })], parts: [] };
}
