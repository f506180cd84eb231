import type { Idempotency } from '../http/idempotency/idempotency.ts';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '../logging/create-logger.ts';
import type { ClockCheck } from '../timing/clock-check.ts';
import { every } from '../timing/every.ts';
import type { Database } from '@tollgate/database/database';

export interface ForgetRepliesDeps {
  readonly worker: Database;
  readonly idempotency: Idempotency;
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  readonly log: Logger;
}

const everyMs = 3_600_000;

/** Deletes old replies to idempotency keys, hourly. Safe to run twice at once, and to miss a round. */
export function createForgetReplies({ worker, idempotency, clockCheck, log }: ForgetRepliesDeps): Service {
  async function forget(): Promise<void> {
    clockCheck.requireRight();
    const forgotten = await idempotency.forget(worker);
    if (forgotten > 0) log.info({ forgotten }, 'forgot old replies to idempotency keys');
  }
  return every({ name: 'forget-replies', run: forget, everyMs, first: 'at once', log });
}
