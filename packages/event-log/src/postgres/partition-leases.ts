import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from '@tollgate/runtime/logging/create-logger';

export interface PartitionLeasesOptions {
  readonly url: string;
  /** Members with the same name share the partitions. */
  readonly name: string;
  readonly partitions: number;
  readonly log: Logger;
  /** Runs while the partition is ours; must return soon after `signal` aborts. */
  whileLeased(partition: number, signal: AbortSignal): Promise<void>;
}

export interface PartitionLeases {
  start(): Promise<void>;
  /** Resolves when every `whileLeased` has returned and the leases are given back. */
  stop(): Promise<void>;
}

const takeEveryMs = 500;
/** A connection without an answer for this long is given up. */
const silenceMs = 4_000;
/** The server ends a session without a query for this long. It is longer than `silenceMs`: a member stops before another takes over. */
const hangMs = 5_000;

/**
 * Leases are advisory locks of one connection and end with it. So a dead member's partitions are free at once. They are
 * free within seconds when a member hangs or its connection is silently cut. A member takes every free partition;
 * further members stand by and take over.
 */
export function createPartitionLeases(options: PartitionLeasesOptions): PartitionLeases {
  const stopping = new AbortController();
  let finished = Promise.resolve();
  return {
    async start() {
      const client = await connect(options.url);
      finished = holdUntilStopped(options, client, stopping.signal);
    },
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

/** Holds leases on one connection after the other. */
async function holdUntilStopped(
  options: PartitionLeasesOptions,
  first: pg.Client,
  stopped: AbortSignal,
): Promise<void> {
  let client: pg.Client | undefined = first;
  while (!stopped.aborted) {
    try {
      client ??= await connect(options.url);
      await hold(options, client, stopped);
    } catch (error) {
      if (!stopped.aborted)
        options.log.warn({ err: error, leases: options.name }, 'lost the leases of the log; taking them again');
      await wait(takeEveryMs, undefined, { signal: stopped }).catch(() => undefined);
    } finally {
      await client?.end().catch(() => undefined);
      client = undefined;
    }
  }
  await client?.end().catch(() => undefined);
}

/** Takes partitions as they become free, until stopped (returns) or the connection is lost (throws). */
async function hold(options: PartitionLeasesOptions, client: pg.Client, stopped: AbortSignal): Promise<void> {
  const lost = new AbortController();
  client.once('end', () => lost.abort());
  client.on('error', () => lost.abort());
  const over = AbortSignal.any([lost.signal, stopped]);
  const running = new Map<number, Promise<void>>();
  try {
    while (!over.aborted) {
      for (const partition of await takeFree(options, client, [...running.keys()])) {
        running.set(partition, options.whileLeased(partition, over));
      }
      await wait(takeEveryMs, undefined, { signal: over }).catch(() => undefined);
    }
    if (lost.signal.aborted) throw new Error('the connection that holds the leases was closed');
  } finally {
    lost.abort();
    await Promise.all(running.values());
  }
}

const takeFreeStatement = {
  name: 'event_log.take_free_partitions',
  text: `select p as partition from generate_series(0, $2::int - 1) p
    where p <> all($3::int[]) and pg_try_advisory_lock(hashtext($1), p)`,
};

async function takeFree(
  { name, partitions }: PartitionLeasesOptions,
  client: pg.Client,
  ours: readonly number[],
): Promise<number[]> {
  const { rows } = await client.query<{ partition: number }>({
    ...takeFreeStatement,
    values: [name, partitions, ours],
  });
  return rows.map(({ partition }) => partition);
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'event-log-leases',
    keepAlive: true,
    connectionTimeoutMillis: 2_000,
    query_timeout: silenceMs,
    options: `-c idle_session_timeout=${hangMs}`,
  });
  client.on('error', () => undefined); // a loss is seen through `end`
  await client.connect();
  return client;
}
