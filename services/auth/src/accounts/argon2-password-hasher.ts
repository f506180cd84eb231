import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@tollgate/kernel/app-error';
import type { PasswordHasher } from '../ports.ts';

export interface HashingLimits {
  /** Hashes at a time; each takes a core and 19 MiB for its while. */
  readonly concurrentMax: number;
  /** Callers that may wait for a turn; one more is told 503, so a flood of sign-ins costs a bounded queue and no more. */
  readonly waitingMax: number;
}

/** What OWASP recommends for argon2id (the library's default algorithm; a test reads it in the hash): 19 MiB, two passes, one lane. */
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export function createArgon2PasswordHasher(limits: HashingLimits): PasswordHasher {
  const takeTurn = createTurns(limits);
  const decoy = createDecoy();
  return {
    hash: (password) => takeTurn(() => hash(password, parameters)),
    async verify(passwordHash, password) {
      const matches = await takeTurn(() => verify(passwordHash ?? decoy, password));
      return matches && passwordHash !== undefined;
    },
  };
}

/** What the password of an unknown e-mail is checked against (F71): the same work, and no password has this hash. */
function createDecoy(): string {
  const { memoryCost, timeCost, parallelism } = parameters;
  const unpadded = (bytes: number): string => randomBytes(bytes).toString('base64').replaceAll('=', '');
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${unpadded(16)}$${unpadded(32)}`;
}

function createTurns({ concurrentMax, waitingMax }: HashingLimits): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async function takeTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < concurrentMax) running += 1;
    else await wait(); // whoever ends hands its place over, so `running` stays as it is
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  function wait(): Promise<void> {
    if (waiting.length >= waitingMax) {
      throw new AppError('unavailable', 'Too many sign-ins at once. Try again shortly.', {
        retryAfterSeconds: 1,
      });
    }
    return new Promise((resolve) => waiting.push(resolve));
  }
}
