import { dictionary } from '@zxcvbn-ts/language-common';

/**
 * The commonest first, by how often they were found in leaks. All are lower case, for so the list was counted; a
 * password that differs only in case is guessed as early, so it is compared in lower case too.
 */
const commonest: ReadonlySet<string> = new Set(dictionary['passwords-common'].slice(0, 10_000));

export function isCommonPassword(password: string): boolean {
  return commonest.has(password.toLowerCase());
}
