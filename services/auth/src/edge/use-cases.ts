import type { Idempotency } from '@tollgate/runtime/http/idempotency';
import type { Database } from '@tollgate/database/database';
import type { ChangePassword } from '../accounts/change-password.ts';
import type { CreateApiKey } from '../api-keys/create-api-key.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import type { AccountStore, ApiKeyStore, SignInThrottle } from '../ports.ts';
import type { RefreshToken } from '../sessions/refresh-token.ts';
import type { RegisterAccount } from '../accounts/register-account.ts';
import type { SignIn } from '../accounts/sign-in.ts';
import type { Authenticate } from '../sessions/authenticate.ts';
import type { ReadRefreshToken } from '../sessions/read-refresh-token.ts';

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
