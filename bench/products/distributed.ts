import { join } from 'node:path';
import { usageEventsTopic } from '@tollgate/contracts/events/event-record';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { Kafka, logLevel, type Admin } from 'kafkajs';
import pg from 'pg';
import { startStack, type Stack, type StackPart } from '../../stack/start-stack.ts';
import type { MeasuredProcess, RowContext } from '../row.ts';
import { registerCast } from './cast.ts';
import { makeBenchFolder } from './data-folder.ts';
import type { Product } from './product.ts';

export interface DistributedProduct extends Product {
  /** `host:port` of the one broker. */
  readonly broker: string;
  /** The process of that name: `kafka-1`, `ingest-gateway-1`, `aggregator-1`, … */
  pidOf(name: string): number;
}

export type Settings = Readonly<Record<string, string>>;

/** The distributed shape, one gateway, load straight to it. Needs Java, Maven and redis-server. */
export async function startDistributedProduct(
  context: RowContext,
  settings: Settings = {},
): Promise<DistributedProduct> {
  const folder = await makeBenchFolder();
  const dataDir = join(folder.path, 'data');
  const stack = await startOne(context, { dataDir, settings });
  try {
    const cast = await registerCast(stack.baseUrl);
    const urls = findRunningPostgres(dataDir);
    if (urls === undefined) throw new Error('the stack serves without its PostgreSQL');
    const reader = new pg.Client({ connectionString: urls.ownerUrl });
    await reader.connect();
    const broker = partOf(stack, 'kafka-1').address;
    const admin = new Kafka({ brokers: [broker], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    return {
      ...cast,
      broker,
      recordUrl: partOf(stack, 'ingest-gateway-1').address,
      processes: stack.parts.map(toMeasured),
      progress: async () => ({ appended: await readEnds(admin), counted: await readCounted(reader) }),
      pidOf: (name) => partOf(stack, name).pid,
      async close() {
        await admin.disconnect();
        await reader.end();
        await stack.stop();
        await folder.remove();
      },
    };
  } catch (error) {
    await stack.stop();
    await folder.remove();
    throw error;
  }
}

interface Start {
  readonly dataDir: string;
  readonly settings: Settings;
}

function startOne({ progress }: RowContext, { dataDir, settings }: Start): Promise<Stack> {
  return startStack({
    dataDir,
    port: 0,
    gateways: 1,
    aggregators: 1,
    brokers: 1,
    environment: {
      PATH: process.env['PATH'],
      READS_PER_SECOND_MAX: '1000000',
      WRITES_PER_SECOND_MAX: '1000000',
      HTTP_CONNECTIONS_PER_ADDRESS_MAX: '10000',
      ...settings,
    },
    log: createLogger({ name: 'bench', level: 'warn', destination: process.stderr }),
    async step(title, work) {
      progress(title);
      return work();
    },
    report: {
      ended: ({ name }, logFile) => progress(`${name} has ended; see ${logFile}`),
      restarted: ({ name }) => progress(`${name} runs again`),
      failed: (name, error) => progress(`${name} could not be started: ${String(error)}`),
    },
  });
}

function partOf({ parts }: Stack, name: string): StackPart & { readonly pid: number } {
  const part = parts.find((each) => each.name === name);
  if (part?.pid === undefined)
    throw new Error(`the stack has no ${name}; it has ${parts.map((each) => each.name).join(', ')}`);
  return { ...part, pid: part.pid };
}

function toMeasured({ name, pid = 0 }: StackPart): MeasuredProcess {
  return name === 'PostgreSQL' ? { name: 'postgres', pid, isTree: true } : { name: name.toLowerCase(), pid };
}

async function readEnds(admin: Admin): Promise<bigint> {
  const ends = await admin.fetchTopicOffsets(usageEventsTopic);
  return ends.reduce((sum, { high }) => sum + BigInt(high), 0n);
}

const countedText = 'select coalesce(sum(next_offset), 0)::bigint as counted from usage.cursor where topic = $1';

async function readCounted(reader: pg.Client): Promise<bigint> {
  const { rows } = await reader.query<{ counted: string }>(countedText, [usageEventsTopic]);
  return BigInt(rows[0]?.counted ?? 0);
}
