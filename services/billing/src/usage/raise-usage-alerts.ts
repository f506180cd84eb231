import type { Database } from '@tollgate/database/database';
import { dayMs } from '@tollgate/kernel/durations';
import { hourOf } from '@tollgate/kernel/period';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Metrics } from '@tollgate/runtime/metrics/create-metrics';
import { countUsageAlertsSince, raiseAlertsOfTools } from './sql-usage-alerts.ts';

export interface UsageAlertSettings {
  /** 0: no alerts. */
  readonly factor: number;
  readonly callsMin: number;
}

export interface RaiseUsageAlertsDeps {
  readonly database: Database;
  readonly settings: UsageAlertSettings;
  readonly log: Logger;
  readonly metrics?: Metrics | undefined;
  readonly batchTools?: number;
}

/**
 * Looks once an hour for consumers who called a tool far more within 24 hours than in the 28 days before. Each such pair is
 * an alert once a day: a row, a line of the log, and part of a metric. It is never work by itself, and an alert stops
 * nobody: a person decides.
 */
export function createRaiseUsageAlerts({ database, settings, log, metrics, ...options }: RaiseUsageAlertsDeps) {
  const { factor, callsMin } = settings;
  const { batchTools: limit = 1_000 } = options;
  const recent = metrics?.gauge(
    'tollgate_billing_usage_alerts',
    'Consumers who called a tool far more than usual: alerts of the last 24 hours.',
  );
  let lookedUntilMs = 0;

  return async function raiseUsageAlerts(nowMs: number): Promise<number> {
    const untilMs = hourOf(nowMs);
    if (factor === 0 || untilMs === lookedUntilMs) return 0;
    for (let afterTool: string | null = ''; afterTool !== null;) {
      const query = { untilMs, nowMs, callsMin, factor, afterTool, limit };
      const { lastTool, raised } = await raiseAlertsOfTools(database, query);
      for (const alert of raised) log.warn(alert, 'a consumer calls a tool far more than usual');
      afterTool = lastTool;
    }
    recent?.set(await countUsageAlertsSince(database, nowMs - dayMs));
    lookedUntilMs = untilMs; // after a failure, the next round looks again
    return 0;
  };
}
