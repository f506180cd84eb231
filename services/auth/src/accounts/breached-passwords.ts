import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Service } from '@tollgate/kernel/service';
import { isListed, parseBreachList, type BreachList } from './breach-list.ts';

/** Beside `src` and `dist`, so that both find it. */
export const breachedPasswordsFile = fileURLToPath(new URL('../../data/breached-passwords.bin', import.meta.url));

export interface BreachedPasswords extends Service {
  /** Whether a password is known from a breach; by chance also one of 65,536 others of 10 to 19 characters. */
  has(password: string): boolean;
}

/** The list that the package carries; `pnpm breached-passwords` writes it (ADR 169). Nothing is asked over a network. */
export function createBreachedPasswords(file = breachedPasswordsFile): BreachedPasswords {
  let list: BreachList | undefined;

  async function start(): Promise<void> {
    try {
      list = await parseBreachList(await readFile(file));
    } catch (cause) {
      const advice = 'Install Tollgate again: without it, breached passwords would be accepted.';
      throw new Error(`The list of breached passwords, ${file}, is missing or damaged. ${advice}`, { cause });
    }
  }

  return {
    name: 'breached-passwords',
    start,
    stop: async () => undefined,
    has: (password) => {
      if (list === undefined) throw new Error('the list of breached passwords was not started');
      return isListed(list, password);
    },
  };
}
