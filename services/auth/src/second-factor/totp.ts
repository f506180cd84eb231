import { Secret, TOTP } from 'otpauth';

/** Every authenticator app understands this form (RFC 6238): SHA-1, 6 digits, 30 seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 };
const secretBytes = 20;
/** A code of the step before or after counts too: clocks differ, and typing takes time. */
const stepsEachWay = 1;

export interface TotpSecret {
  /** In Base32. */
  readonly secret: string;
  /** For a QR code. It contains the secret. */
  readonly uri: string;
}

/** `owner` is what the app shows beside the code. */
export function createTotpSecret(owner: string): TotpSecret {
  const totp = new TOTP({ ...form, issuer: 'Tollgate', label: owner, secret: new Secret({ size: secretBytes }) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step that the code belongs to; undefined for a code that is not good at this time. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const token = code.replaceAll(/\s/g, '');
  if (!/^[0-9]{6}$/.test(token)) return undefined; // the library throws at six digits of another alphabet
  const key = Secret.fromBase32(secret);
  const delta = TOTP.validate({ ...form, token, secret: key, timestamp: nowMs, window: stepsEachWay });
  return delta === null ? undefined : TOTP.counter({ period: form.period, timestamp: nowMs }) + delta;
}
