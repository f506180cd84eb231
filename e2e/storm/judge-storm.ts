import { systemClock } from '@tollgate/kernel/clock';
import { createHttpClient } from '@tollgate/testkit/http-client';
import { untilTopicIsCounted } from '@tollgate/testkit/oracles/until-topic-is-counted';
import { checkLargeRun, sumCounted } from '@tollgate/testkit/oracles/check-large-run';
import type { CountingReport } from '@tollgate/testkit/oracles/check-counting';
import { checkUsage } from '@tollgate/testkit/oracles/check-usage';
import { loadJournal } from '@tollgate/testkit/oracles/load-journal';
import { loadTopic } from '@tollgate/testkit/oracles/load-topic';
import { connectOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { consumerName, signIn, type Cast } from '../register-cast.ts';
import type { StormDeployment } from './storm-deployment.ts';

export type StormJudgement = CountingReport;

export interface Storm {
  readonly deployment: StormDeployment;
  readonly cast: Cast;
  readonly journalPath: string;
  readonly topic: string;
  readonly say: (line: string) => void;
}

const drainPatienceMs = 300_000;

/** The oracles O1 and O2: the clients' journal = the log = the counted events = the rollups = `/v1/usage`. */
export async function judgeStorm(storm: Storm): Promise<StormJudgement> {
  const { deployment, journalPath, topic, say } = storm;
  const { broker, postgres } = deployment;
  const database = await connectOracleDatabase(postgres.ownerUrl);
  try {
    say('waiting until every record of the log is counted …');
    await untilTopicIsCounted(database, { address: broker.address, topic, withinMs: drainPatienceMs });
    say('reading the journal and the log …');
    await loadJournal(database, journalPath);
    await loadTopic(database, broker.address, topic);
    say('comparing the journal, the log, the events, the rollups and the usage …');
    const report = await checkLargeRun(database);
    return { ...report, violations: [...report.violations, ...(await checkEveryUsage(database, storm))] };
  } finally {
    await database.end();
  }
}

/** The sums as each consumer sees them, and as the builder does. */
async function checkEveryUsage(database: OracleDatabase, { deployment, cast }: Storm): Promise<string[]> {
  const client = createHttpClient({ baseUrl: deployment.router.baseUrl });
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
