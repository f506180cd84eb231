import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '@tollgate/kernel/app-error';

/**
 * Both methods reject with `unavailable` when too many callers wait: no request of a stranger costs more than a hash.
 */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Takes the same time without a hash to compare with. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>;
}

export interface HashingLimits {
  /** Hashes at a time. Each takes a core and 19 MiB while it runs. */
  readonly concurrentMax: number;
  /** Callers that may wait for a turn. Further callers get 503, so a flood of sign-ins costs a bounded queue and no more. */
  readonly waitingMax: number;
}

/** OWASP's recommendation for argon2id, the library's default algorithm: 19 MiB, two passes, one lane. */
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

/** A hash for the passwords of unknown e-mails (F71): to verify it costs the same, and no password has it. */
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
    else await wait(); // a caller that ends passes its place on, so `running` stays as it is
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
