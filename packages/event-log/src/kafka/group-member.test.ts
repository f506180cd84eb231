import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import type { Consumer, EachBatchPayload } from 'kafkajs';
import type { LogBatch } from '../event-log.ts';
import { createGroupMember, handleFetched, takePartitions } from './group-member.ts';

const ends = { asOf: 0, askedMs: 0, partitions: new Map([[0, { low: 0n, high: 100n }]]) };

/** A member of a group, with what Kafka's client would give it. Its handler waits until the test lets it end. */
function openMember() {
  const handed: string[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const resumed: number[] = [];
  const consumer = {
    pause: () => undefined,
    seek: () => undefined,
    resume: () => void resumed.push(handed.length),
  } as unknown as Consumer; // all that a member asks of it
  const member = createGroupMember({
    topic: 'usage',
    group: 'counting',
    consumer,
    clock: systemClock,
    ends: { look: async () => ends, lookIfStale: async () => undefined },
    stopped: new AbortController().signal,
    log: createLogger({ name: 'test', level: 'silent' }),
    onFailed: () => undefined,
    nextOffset: async () => 0n,
    onCaughtUp: async () => undefined,
    async onBatch({ firstOffset, nextOffset }: LogBatch) {
      handed.push(`${firstOffset}–${nextOffset}`);
      const mayEnd = Promise.withResolvers<void>();
      waiting.push(mayEnd);
      await mayEnd.promise;
    },
  });
  return { member, handed, resumed, end: () => waiting.shift()?.resolve() };
}

/** A fetched batch of records from offset 0 on. */
function fetched(records: number, state = { isRunning: true, isStale: false }): EachBatchPayload {
  const messages = Array.from({ length: records }, (_, offset) => ({
    offset: String(offset),
    key: null,
    value: Buffer.from('x'),
  }));
  return {
    batch: { topic: 'usage', partition: 0, messages, firstOffset: () => '0', lastOffset: () => String(records - 1) },
    resolveOffset: () => undefined,
    heartbeat: async () => undefined,
    isRunning: () => state.isRunning,
    isStale: () => state.isStale,
  } as unknown as EachBatchPayload; // the part of it that a member uses
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A member whose next batch is cut in two: half of it is handed out and waits. */
async function inTheMiddle(state = { isRunning: true, isStale: false }) {
  const opened = openMember();
  takePartitions(opened.member, [0]);
  await turn();
  const holding = opened.member.holdings.get(0);
  holding?.batchSize.onFailed(2); // batches of one record from now on
  const handling = handleFetched(opened.member, fetched(2, state));
  await turn();
  expect(opened.handed).toEqual(['0–1']);
  return { ...opened, handling };
}

describe('F14 the rest of a fetched batch', () => {
  it('is handed out while the partition is ours', async () => {
    const { handed, end, handling } = await inTheMiddle();
    end();
    await turn();
    end();
    await handling;
    expect(handed).toEqual(['0–1', '1–2']);
  });

  it('is not handed out once the group has assigned its partitions anew', async () => {
    const { member, handed, end, handling } = await inTheMiddle();
    takePartitions(member, [0]);
    end();
    await turn();
    end();
    await handling;
    expect(handed).toEqual(['0–1']);
  });

  it.each([
    ['the consumer no longer runs', { isRunning: false }],
    ['the client was told to seek', { isStale: true }],
  ])('is not handed out once %s', async (_why, change) => {
    const state = { isRunning: true, isStale: false };
    const { handed, end, handling } = await inTheMiddle(state);
    Object.assign(state, change);
    end();
    await turn();
    end();
    await handling;
    expect(handed).toEqual(['0–1']);
  });
});

describe('F14 a partition that the group gives us again', () => {
  it('is not read while a handler of the earlier assignment runs', async () => {
    const { member, handed, resumed, end, handling } = await inTheMiddle();
    takePartitions(member, [0]);
    await turn();
    void handleFetched(member, fetched(2));
    await turn();
    expect(handed).toEqual(['0–1']); // never two handlers at once
    expect(resumed).toHaveLength(1);
    end();
    await handling;
    await turn();
    expect(resumed).toHaveLength(2);
  });
});
