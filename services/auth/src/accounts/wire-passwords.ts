import type { Config } from '../config.ts';
import { createArgon2PasswordHasher, type PasswordHasher } from './argon2-password-hasher.ts';
import { createBreachedPasswords, type BreachedPasswords } from './breached-passwords.ts';
import type { PasswordRules } from './password-rules.ts';

/** The wiring that the service and the operator's command share. They start the list before they judge a password. */
export function wirePasswords(config: Config): {
  readonly hasher: PasswordHasher;
  readonly passwordRules: PasswordRules;
  readonly breachedPasswords: BreachedPasswords;
} {
  const hasher = createArgon2PasswordHasher({
    concurrentMax: config.PASSWORD_HASHES_CONCURRENT_MAX,
    waitingMax: config.PASSWORD_HASHES_WAITING_MAX,
  });
  const breachedPasswords = createBreachedPasswords();
  const passwordRules = { codePointsMin: config.PASSWORD_MIN_LENGTH, isBreached: breachedPasswords.has };
  return { hasher, passwordRules, breachedPasswords };
}
