import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Database } from '@tollgate/database/database';
import { createNotifications, type Notifications } from '@tollgate/database/notifications';
import { createCredentials, type Credentials } from '@tollgate/runtime/auth/credentials';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Config } from './config.ts';

export interface CredentialsDeps {
  readonly worker: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Default: a connection of their own. */
  readonly notifications?: Notifications | undefined;
}

/** Checks the API keys and tokens of callers. Notifications tell at once which ones were revoked. */
export function openCredentials(
  config: Config,
  deps: CredentialsDeps,
): { readonly credentials: Credentials; readonly parts: readonly Service[] } {
  const { worker, clock, log } = deps;
  const notifications = deps.notifications ?? createNotifications({ url: config.DATABASE_WORKER_URL, log });
  const issuer = {
    issuer: config.TOKEN_ISSUER,
    audience: config.TOKEN_AUDIENCE,
    operatorToken: config.OPERATOR_TOKEN,
    wrongOperatorTokensPerMinute: config.WRONG_OPERATOR_TOKENS_PER_ADDRESS_PER_MINUTE,
  };
  const credentials = createCredentials({ database: worker, notifications, clock, log, config: issuer });
  return { credentials, parts: [notifications, credentials] };
}
