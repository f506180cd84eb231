import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { systemClock } from '@tollgate/kernel/clock';
import { mendTopics } from '@tollgate/runtime/event-log/kafka/mend-topics';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { openJournal, type Journal } from '@tollgate/testkit/load/journal';
import { readJournal } from '@tollgate/testkit/load/read-journal';
import { startLoad, type Load, type LoadOptions } from '@tollgate/testkit/load/start-load';
import { checkCounting, type CountingReport } from '@tollgate/testkit/oracles/check-counting';
import { checkUsage } from '@tollgate/testkit/oracles/check-usage';
import { openKafkaLog, type KafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { registerCast, type Cast } from '../register-cast.ts';
import { openDeployment, type Deployment } from './deployment.ts';

export interface KafkaShapeOptions {
  /** Of the folder that is kept when the test fails. */
  readonly name: string;
  /** Where each role signs in to PostgreSQL. */
  readonly urlFor: (role: string) => string;
  /** Where the oracles do. */
  readonly ownerUrl: string;
  readonly partitions: number;
  /** What all services are told besides. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The services on a Kafka of their own, what calls them, and what judges them. */
export interface KafkaShape {
  readonly kafka: KafkaBroker;
  readonly log: KafkaLog;
  readonly deployment: Deployment;
  readonly client: HttpClient;
  /** Registers who calls, on the first call, and lets them call. */
  startLoad(options: Pick<LoadOptions, 'clients'> & Partial<Pick<LoadOptions, 'baseUrl'>>): Promise<Load>;
  /** Waits until all is counted, then asks the oracles O1 and O2, and the builder's sums. */
  judge(): Promise<CountingReport>;
  /** Keeps the journal and what was printed where the test has failed. */
  destroy(isProven: boolean): Promise<void>;
}

const log = createLogger({ name: 'test', level: 'silent' });
const drainPatienceMs = 60_000;

export async function openKafkaShape(options: KafkaShapeOptions): Promise<KafkaShape> {
  await buildStandalone();
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${options.name}-`));
  const random = seededRandom(options.name);
  const kafka = await startKafka();
  const needs = { partitions: options.partitions, replicationFactor: 1 };
  await mendTopics({ connection: { brokers: [kafka.address] }, topics: { [usageEventsTopic]: needs }, log });
  const kafkaLog = await openKafkaLog(kafka.address, usageEventsTopic);
  const deployment = await openDeployment({
    urlFor: options.urlFor,
    settings: {
      EVENT_LOG: 'kafka',
      KAFKA_BROKERS: kafka.address,
      KAFKA_REPLICATION_FACTOR: '1',
      USAGE_EVENT_PARTITIONS: String(options.partitions),
      ...options.settings,
    },
    nowMs: systemClock.monotonicMs,
  });
  const client = createHttpClient({ baseUrl: deployment.router.baseUrl });
  let journal: Journal | undefined;
  let cast: Cast | undefined;
  let load: Load | undefined;

  return {
    kafka,
    log: kafkaLog,
    deployment,
    client,
    async startLoad({ clients, baseUrl = async () => deployment.router.baseUrl }) {
      cast ??= await registerCast(client, 6);
      journal ??= openJournal(join(folder, 'journal.ndjson'));
      const { consumers: accounts, toolIds } = cast;
      load = startLoad({ baseUrl, accounts, toolIds, journal, random: random.fork(), clients });
      return load;
    },
    async judge() {
      if (cast === undefined || journal === undefined) throw new Error('there was no load');
      await journal.close();
      const oracle = await connectOracleDatabase(options.ownerUrl);
      try {
        await kafkaLog.waitUntilDrained(oracle, { withinMs: drainPatienceMs });
        const journaled = readJournal(journal.path);
        const { violations, ...figures } = await checkCounting(oracle, journaled, kafkaLog.readIds);
        const usage = await checkUsage(
          client,
          { token: cast.builderToken, role: 'builder' },
          {
            events: [...journaled.values()].map(({ event }) => event),
            measuredToolIds: cast.measuredToolIds,
            nowMs: systemClock.now(),
          },
        );
        return { ...figures, violations: [...violations, ...usage, ...(load?.contradictions ?? [])].slice(0, 50) };
      } finally {
        await oracle.end();
      }
    },
    async destroy(isProven) {
      load?.stop();
      if (!isProven) writeFileSync(join(folder, 'output.txt'), deployment.output());
      await deployment.destroy();
      await kafkaLog.close();
      await kafka.destroy();
      if (isProven) rmSync(folder, { recursive: true, force: true });
      else
        process.stderr.write(`${options.name} failed with FAULT_SEED=${random.seed}; journal and output: ${folder}\n`);
    },
  };
}
