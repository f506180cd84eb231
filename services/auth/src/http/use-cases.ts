import type { Idempotency } from '@tollgate/runtime/http/idempotency';
import type { Database } from '@tollgate/runtime/postgres/database';
import type { ChangePassword } from '../app/change-password.ts';
import type { CreateApiKey } from '../app/create-api-key.ts';
import type { KeyRing } from '../app/key-ring.ts';
import type { AccountStore, ApiKeyStore, SignInThrottle } from '../app/ports.ts';
import type { RefreshToken } from '../app/refresh-token.ts';
import type { RegisterAccount } from '../app/register-account.ts';
import type { SignIn } from '../app/sign-in.ts';
import type { Authenticate } from './authenticate.ts';
import type { ReadRefreshToken } from './read-refresh-token.ts';

/** All that the controllers are given. Nest hands each over by value, under the token of its name. */
export interface UseCases {
  readonly authenticate: Authenticate;
  readonly readRefreshToken: ReadRefreshToken;
  readonly throttle: SignInThrottle;
  readonly registerAccount: RegisterAccount;
  readonly signIn: SignIn;
  readonly refreshToken: RefreshToken;
  readonly endSession: (session: { readonly accountId: string; readonly sessionId: string }) => Promise<void>;
  readonly changePassword: ChangePassword;
  readonly readAccount: AccountStore['read'];
  readonly createApiKey: CreateApiKey;
  readonly listApiKeys: ApiKeyStore['list'];
  readonly revokeApiKey: (key: { readonly accountId: string; readonly keyId: string }) => Promise<boolean>;
  readonly idempotency: Idempotency;
  /** Whose transactions act for one account. */
  readonly accountDatabase: Database;
  readonly publishedKeys: KeyRing['published'];
}

export function token(name: keyof UseCases): string {
  return `auth.${name}`;
}
