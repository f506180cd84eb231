import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { FeeScope } from '../fees/fee-scope.ts';
import { createReadUsage } from './read-usage.ts';
import { usageController } from './usage.controller.ts';

export interface UsageDeps {
  readonly api: Database;
  readonly scope: FeeScope;
  readonly clock: Clock;
}

/** Wires `GET /v1/usage`: calls, and what they cost or earn. */
export function wireUsage({ api, scope, clock }: UsageDeps) {
  const readUsage = createReadUsage({ database: api, scope });
  return { controllers: [usageController({ readUsage, nowMs: clock.now })] };
}
