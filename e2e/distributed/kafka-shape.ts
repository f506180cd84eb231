import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { usageEventsTopic } from '@tollgate/contracts/event-record';
import { systemClock } from '@tollgate/kernel/clock';
import { mendTopics } from '@tollgate/event-log/kafka/mend-topics';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { startKafka } from '@tollgate/testkit/kafka/start-kafka';
import { openJournal, type Journal } from '@tollgate/testkit/load/journal';
import { startLoad, type Load, type LoadOptions } from '@tollgate/testkit/load/start-load';
import type { CountingReport } from '@tollgate/testkit/oracles/check-counting';
import { openKafkaLog, type KafkaLog } from '@tollgate/testkit/oracles/kafka-log';
import { connectOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import { judgeRun } from '../judge-run.ts';
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
  /** Other than a plain one. */
  readonly kafka?: ShapeKafka;
  /** What all services are told besides. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface ShapeKafka {
  /** Where tests and oracles come in, `host:port`. */
  readonly address: string;
  /** As KAFKA_BROKERS; `address` if not given. */
  readonly brokers?: string;
  /** 1 if not given. */
  readonly replicationFactor?: number;
  destroy(): Promise<void>;
}

/** The services on a Kafka of their own, and what judges them. */
export interface KafkaShape {
  readonly log: KafkaLog;
  readonly deployment: Deployment;
  readonly client: HttpClient;
  /** For journals; kept, with all that was printed, where the test has failed. */
  readonly folder: string;
  /** Registers who calls, and lets them call. Once. */
  startLoad(options: Pick<LoadOptions, 'clients'> & Partial<Pick<LoadOptions, 'baseUrl'>>): Promise<Load>;
  /** The same for calls of another kind, by so many consumers. */
  startCalls<Calls extends JudgedCalls>(consumers: number, start: (by: Registered) => Promise<Calls>): Promise<Calls>;
  /** Lets the load come to an end, waits until all is counted, then asks O1 and O2. */
  judge(): Promise<CountingReport>;
  /** Kept is what was printed and journaled where the test has failed. */
  destroy(isProven: boolean): Promise<void>;
}

/** What brings events in, and is told when to come to an end. */
export type JudgedCalls = Pick<Load, 'contradictions' | 'settle' | 'stop'>;

export interface Registered {
  readonly cast: Cast;
  readonly journal: Journal;
  readonly random: SeededRandom;
}

interface Running extends Omit<Registered, 'random'> {
  readonly calls: JudgedCalls;
}

const log = createLogger({ name: 'test', level: 'silent' });
const settlePatience = { withinMs: 60_000 };

export async function openKafkaShape(options: KafkaShapeOptions): Promise<KafkaShape> {
  await buildStandalone();
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${options.name}-`));
  const random = seededRandom(options.name);
  const kafka: ShapeKafka = options.kafka ?? (await startKafka());
  const { replicationFactor = 1 } = kafka;
  const needs = { partitions: options.partitions, replicationFactor };
  await mendTopics({ connection: { brokers: [kafka.address] }, topics: { [usageEventsTopic]: needs }, log });
  const kafkaLog = await openKafkaLog(kafka.address, usageEventsTopic);
  const deployment = await openDeployment({
    urlFor: options.urlFor,
    settings: {
      EVENT_LOG: 'kafka',
      KAFKA_BROKERS: kafka.brokers ?? kafka.address,
      KAFKA_REPLICATION_FACTOR: String(replicationFactor),
      USAGE_EVENT_PARTITIONS: String(options.partitions),
      ...options.settings,
    },
    nowMs: systemClock.monotonicMs,
  });
  const client = createHttpClient({ baseUrl: deployment.router.baseUrl });
  let running: Running | undefined;

  const startCalls: KafkaShape['startCalls'] = async (consumers, start) => {
    const cast = await registerCast(client, consumers);
    const journal = openJournal(join(folder, 'journal.ndjson'));
    const calls = await start({ cast, journal, random: random.fork() });
    running = { calls, cast, journal };
    return calls;
  };

  const startOnlyLoad: KafkaShape['startLoad'] = ({ clients, baseUrl = async () => deployment.router.baseUrl }) =>
    startCalls(6, async ({ cast: { consumers: accounts, toolIds }, ...by }) =>
      startLoad({ ...by, baseUrl, accounts, toolIds, clients }),
    );

  async function judge(): Promise<CountingReport> {
    if (running === undefined) throw new Error('there was no load');
    const { calls, cast, journal } = running;
    await calls.settle(settlePatience);
    await journal.close();
    const database = await connectOracleDatabase(options.ownerUrl);
    try {
      const report = await judgeRun({ database, log: kafkaLog, journalPath: journal.path, client, cast });
      return { ...report, violations: [...calls.contradictions, ...report.violations] };
    } finally {
      await database.end();
    }
  }

  return {
    log: kafkaLog,
    deployment,
    client,
    folder,
    startLoad: startOnlyLoad,
    startCalls,
    judge,
    async destroy(isProven) {
      running?.calls.stop();
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
