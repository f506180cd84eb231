import type { Database } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee.ts';
import type { PayoutSettings } from '../payouts/payout.ts';
import type { Processor } from '../processor/processor.ts';
import { createTraceEvent } from './trace-event.ts';
import { traceController } from './trace.controller.ts';

export interface TraceDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly scope: FeeScope;
  readonly payouts: PayoutSettings;
}

/** Wires the route that follows one event to its invoice and payout. */
export function wireTrace({ api, worker, processor, scope, payouts }: TraceDeps) {
  const traceEvent = createTraceEvent({ api, worker, processor: processor.name, scope, payouts });
  return { controllers: [traceController(traceEvent)] };
}
