import { systemClock } from '@tollgate/kernel/clock';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { checkCounting, type CountingReport } from '@tollgate/testkit/oracles/check-counting';
import { checkUsage } from '@tollgate/testkit/oracles/check-usage';
import type { JudgedLog } from '@tollgate/testkit/oracles/judged-log';
import type { OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { sumCounted } from '@tollgate/testkit/oracles/sum-counted';
import { consumerName, signIn, type Cast } from './register-cast.ts';

export interface JudgedRun {
  readonly database: OracleDatabase;
  readonly log: JudgedLog;
  /** The clients' journal, closed. */
  readonly journalPath: string;
  readonly client: HttpClient;
  readonly cast: Cast;
  readonly drainWithinMs?: number;
  /** Prints a line of progress. */
  readonly say?: (line: string) => void;
}

/** Asks the oracles O1 and O2: the clients' journal = the log = the counted events = the rollups = `/v1/usage`. */
export async function judgeRun(run: JudgedRun): Promise<CountingReport> {
  const { database, log, journalPath, drainWithinMs = 180_000, say } = run;
  say?.('waiting until every record of the log is counted …');
  await log.waitUntilDrained(database, { withinMs: drainWithinMs });
  say?.('comparing the journal, the log, the events and the rollups …');
  const report = await checkCounting(database, { journalPath, log });
  say?.('comparing /v1/usage of every account …');
  return { ...report, violations: [...report.violations, ...(await checkEveryUsage(run))] };
}

/** Compares the sums that each consumer sees, and the builder. It signs in again: a run may outlive an access token. */
async function checkEveryUsage({ database, client, cast }: JudgedRun): Promise<string[]> {
  const expected = { measuredToolIds: cast.measuredToolIds, nowMs: systemClock.now() };
  const asBuilder = { token: await signIn(client, 'builder'), role: 'builder' } as const;
  const violations = await checkUsage(client, asBuilder, { ...expected, events: await sumCounted(database) });
  for (const [at, { consumerId }] of cast.consumers.entries()) {
    const asConsumer = { token: await signIn(client, consumerName(at)), role: 'consumer' } as const;
    const events = await sumCounted(database, consumerId);
    violations.push(...(await checkUsage(client, asConsumer, { ...expected, events })));
  }
  return violations;
}
