import type { Config } from '../config.ts';
import { createArgon2PasswordHasher, type PasswordHasher } from './argon2-password-hasher.ts';
import { createIsCommonPassword } from './common-passwords.ts';
import type { PasswordRules } from './password-rules.ts';

/** The wiring that the service and the operator's command share. */
export function wirePasswords(config: Config): {
  readonly hasher: PasswordHasher;
  readonly passwordRules: PasswordRules;
} {
  const hasher = createArgon2PasswordHasher({
    concurrentMax: config.PASSWORD_HASHES_CONCURRENT_MAX,
    waitingMax: config.PASSWORD_HASHES_WAITING_MAX,
  });
  return { hasher, passwordRules: { codePointsMin: config.PASSWORD_MIN_LENGTH, isCommon: createIsCommonPassword() } };
}
