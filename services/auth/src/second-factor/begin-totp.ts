import { changeFactor, checkPassword, totpEnabled, type Caller, type SecondFactorDeps } from './change-factor.ts';
import { putTotp } from './sql-totp.ts';
import { createTotpSecret, type TotpSecret } from './totp.ts';

type Deps = Pick<SecondFactorDeps, 'api' | 'readAccount' | 'hasher' | 'box' | 'clock'>;

export type BeginTotp = (request: Caller & { readonly password: string }) => Promise<TotpSecret>;

/** Stores a new secret. It counts for nothing until a code confirms it. Throws `totp_enabled`. */
export function createBeginTotp(deps: Deps): BeginTotp {
  const { api, box, clock } = deps;
  return async function beginTotp({ accountId, sessionId, password }) {
    const { email, passwordHash } = await checkPassword(deps, accountId, password);
    const begun = createTotpSecret(email);
    const secretSealed = box.seal(begun.secret, accountId);
    await changeFactor(api, { accountId, sessionId, passwordHash }, async (tx) => {
      if (!(await putTotp(tx, { accountId, secretSealed, createdAt: clock.now() }))) throw totpEnabled();
    });
    return begun;
  };
}
