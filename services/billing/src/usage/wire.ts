import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import type { FeeScope } from '../fees/fee.ts';
import { alertsController, usageController } from './usage.controller.ts';
import { createRaiseUsageAlerts, type UsageAlertSettings } from './raise-usage-alerts.ts';
import { createReadUsage } from './read-usage.ts';

export interface UsageDeps {
  readonly api: Database;
  readonly worker: Database;
  readonly jobs: Database;
  readonly scope: FeeScope;
  readonly usageAlerts: UsageAlertSettings;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
}

/** Wires `GET /v1/usage` (calls, and what they cost or earn), and alerts of usage that grows fast. */
export function wireUsage({ api, worker, jobs, scope, usageAlerts: settings, clock, log, metrics }: UsageDeps) {
  const readUsage = createReadUsage({ database: api, scope });
  return {
    controllers: [usageController({ readUsage, nowMs: clock.now }), alertsController({ worker })],
    dueSteps: [createRaiseUsageAlerts({ database: jobs, settings, log, metrics })],
  };
}
