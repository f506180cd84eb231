import type { Idempotency } from '@tollgate/runtime/http/idempotency';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Database } from '@tollgate/database/database';

export interface ForgetRepliesDeps {
  readonly worker: Database;
  readonly idempotency: Idempotency;
  readonly log: Logger;
}

const everyMs = 3_600_000;

/** Drops replies to idempotency keys that need not be repeated any more, hourly. Safe to run twice, and to miss a round. */
export function createForgetReplies({ worker, idempotency, log }: ForgetRepliesDeps): Service {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function forget(): Promise<void> {
    try {
      const forgotten = await idempotency.forget(worker);
      if (forgotten > 0) log.info({ forgotten }, 'forgot old replies to idempotency keys');
    } catch (error) {
      log.warn({ err: error }, 'could not forget old replies; the next round will');
    }
  }

  return {
    name: 'forget-replies',
    async start() {
      timer = setInterval(() => {
        running = forget();
      }, everyMs).unref();
      running = forget();
    },
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
