import { Secret, TOTP } from 'otpauth';
import type { AuthUnderTest, SignedUp } from './auth-under-test.ts';

const stepMs = 30_000;

/** Gives the account a second factor. */
export async function totpOf(auth: AuthUnderTest, { password, token }: SignedUp) {
  auth.realTime.set((Math.floor(auth.realTime.now() / stepMs) + 2) * stepMs + stepMs / 2); // no step ends meanwhile
  const codeOf = (secret: string) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: auth.realTime.now() });
  const { secret } = (await auth.post<{ secret: string }>('/v1/auth/totp', { password }, token)).body;
  const confirmed = await auth.post('/v1/auth/totp/confirm', { code: codeOf(secret) }, token);
  if (confirmed.status !== 200) throw new Error(confirmed.text);
  return {
    /** Each code works once, so it is that of the next step. */
    nextCode() {
      auth.realTime.advance(stepMs);
      return codeOf(secret);
    },
  };
}
