import { rotateSigningKey } from '@tollgate/auth/operator';
import { systemClock } from '@tollgate/kernel/clock';

import { authConfigOf, secretOf } from './auth-config-of.ts';
import { withDatabase, type DatabaseChoice } from './open-database.ts';

/** `tollgate operator signing-key rotate [--revoke-now]`: for a leaked key, or for a lost AUTH_KEY_ENCRYPTION_SECRET. */
export async function rotateKey(
  { revokeNow }: { readonly revokeNow: boolean },
  choice: DatabaseChoice,
): Promise<string> {
  return withDatabase(choice, async (database) => {
    const config = authConfigOf(database, choice, secretOf(choice));
    const deps = { clock: systemClock, log: choice.log };
    const rotate = (use: 'session' | 'oauth') => rotateSigningKey(config, deps, { use, revokesEarlier: revokeNow });
    const [sessionKey, oauthKey] = [await rotate('session'), await rotate('oauth')];
    const earlier = revokeNow ? 'refused within a second: everybody signs in again' : 'good until they expire';
    return `The signing key is ${sessionKey}, and that of OAuth ${oauthKey}. Tokens of earlier keys are ${earlier}.`;
  });
}
