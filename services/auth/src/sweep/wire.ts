import { hourMs } from '@tollgate/kernel/durations';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { ClockCheck } from '@tollgate/runtime/timing/clock-check';
import { every } from '@tollgate/runtime/timing/every';
import type { Config } from '../config.ts';
import { createSweepExpired } from './sweep-expired.ts';

interface Deps {
  readonly worker: Database;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly realTime: Pick<Clock, 'now'>;
  readonly clockCheck: Pick<ClockCheck, 'requireRight'>;
  readonly log: Logger;
}

export function wireSweep(config: Config, { worker, idempotency, clock, realTime, clockCheck, log }: Deps) {
  const accessTokenTtlMs = config.ACCESS_TOKEN_TTL_SECONDS * 1_000;
  const sweepExpired = createSweepExpired({ worker, clock, realTime, accessTokenTtlMs });
  const sweep = async (): Promise<void> => {
    clockCheck.requireRight();
    const replies = await idempotency.forget(worker);
    log.info({ ...(await sweepExpired()), replies }, 'deleted expired rows');
  };
  return {
    useCases: { sweepExpired },
    controllers: [],
    parts: [every({ name: 'auth-sweep', everyMs: hourMs, run: sweep, log })],
  };
}
