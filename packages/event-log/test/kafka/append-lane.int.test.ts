import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { within } from '@tollgate/runtime/timing/within';
import { eventually } from '@tollgate/testkit/eventually';
import { describeWithKafka } from '@tollgate/testkit/kafka';
import { acksOf, isProduce, withErrorCode } from '@tollgate/testkit/kafka/kafka-requests';
import { readTopic } from '@tollgate/testkit/kafka/read-topic';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { Kafka, logLevel } from 'kafkajs';
import type { EventLog } from '../../src/event-log.ts';
import { kafkaLogAt, makeTopic } from '../support/kafka-log.ts';

const partitions = 3;
const unavailable = { kind: 'unavailable', retryAfterSeconds: 1 };
const invalidRecord = 87;
const ofAllReplicas = -1;

const describeKafka = await describeWithKafka();

describeKafka('appending to Kafka', () => {
  let kafka: KafkaBroker;
  let eventLog: EventLog;
  let topic: string;

  beforeAll(async () => {
    kafka = await startKafka();
  }, 90_000);
  afterAll(() => kafka?.destroy());
  beforeEach(async () => {
    topic = `append.${randomUUID()}`;
    await makeTopic(kafka.address, topic, { partitions });
  });
  afterEach(async () => {
    await kafka.thaw();
    kafka.proxy.heal();
    await eventLog.stop();
  });

  const connect = async (appendDeadlineMs: number): Promise<void> => {
    eventLog = kafkaLogAt(kafka.proxiedAddress, { appendDeadlineMs });
    await eventLog.start();
    await eventually(() => append('first'), { withinMs: 15_000 }); // a new topic may not have its leaders yet
  };
  const appendWith = (key: string, id: string) => eventLog.append(topic, [{ key, value: Buffer.from(id) }]);
  const append = (id: string) => appendWith(id, id);
  /** A deadline of the log and this timer run in one process. However busy the machine is, the earlier one rings first. */
  const soonerThan = <Answer>(ms: number, answer: Promise<Answer>) =>
    within(answer, ms, () => {
      throw new Error(`nothing within ${ms} ms`);
    });
  const isInLog = async (id: string) => (await readTopic(kafka.address, topic)).includes(id);

  /** One append after the other, until stopped. */
  const keepAppending = () => {
    const acknowledged: string[] = [];
    const rejected: unknown[] = [];
    let isOver = false;
    const loop = async (): Promise<void> => {
      while (!isOver) {
        const id = randomUUID();
        await append(id).then(
          () => acknowledged.push(id),
          (error: unknown) => rejected.push(error),
        );
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };
    const running = Promise.all(Array.from({ length: 8 }, loop));
    const stop = async (): Promise<void> => {
      isOver = true;
      await running;
    };
    return { acknowledged, rejected, stop };
  };

  it('F15 acknowledges nothing while the broker is dead, says so in time, and goes on by itself when it is back', async () => {
    await connect(1_500);
    const load = keepAppending();
    await eventually(() => load.acknowledged.length > 50, { withinMs: 30_000 });
    await kafka.kill();
    const before = load.acknowledged.length;
    await expect(soonerThan(2_900, append('in the outage'))).rejects.toMatchObject(unavailable);
    expect(load.acknowledged.length).toBeLessThan(before + 8); // a few answers were on their way
    await kafka.start();
    const during = load.acknowledged.length;
    await eventually(() => load.acknowledged.length > during + 50, { withinMs: 5_000 });
    await load.stop();
    expect(load.rejected.length).toBeGreaterThan(0);
    const inLog = new Set(await readTopic(kafka.address, topic));
    expect(load.acknowledged.filter((id) => !inLog.has(id))).toEqual([]);
  }, 90_000);

  it('F16 rejects at its deadline while the broker is frozen, and goes on when it answers again', async () => {
    await connect(1_500);
    await kafka.freeze();
    const appends = Array.from({ length: 20 }, (_, index) => append(`frozen ${index}`));
    const results = await soonerThan(2_900, Promise.allSettled(appends)); // a request alone gives up after 3 s
    expect(results.every(({ status }) => status === 'rejected')).toBe(true);
    await kafka.thaw();
    await eventually(() => append('thawed'), { withinMs: 30_000 });
  }, 90_000);

  it('F16 notices a connection that is open on this side alone', async () => {
    await connect(60_000); // no limit on how long a busy machine needs for the new connection
    kafka.proxy.halfOpen();
    await append('on a new connection');
    expect(await readTopic(kafka.address, topic)).toContain('on a new connection');
  }, 90_000);

  it('F17 has in the log all that it acknowledged, though answers are lost after the append', async () => {
    await connect(20_000); // ten drops in a row may strike the same records
    const load = keepAppending();
    for (let drops = 0; drops < 10; drops += 1) await kafka.proxy.dropAnswer(isProduce);
    const after = load.acknowledged.length;
    await eventually(() => load.acknowledged.length > after + 20, { withinMs: 30_000 });
    await load.stop();
    const values = await readTopic(kafka.address, topic);
    const inLog = new Set(values);
    expect(load.acknowledged.filter((id) => !inLog.has(id))).toEqual([]);
    expect(load.rejected).toEqual([]);
    expect(values.length).toBeGreaterThan(inLog.size); // sent again; the reader counts each once
  }, 90_000);

  it('F17 rejects what it cannot know to be in the log by its deadline', async () => {
    await connect(600);
    await eventually(() => isInLog('first'), { withinMs: 5_000 }); // else the answer that is dropped may be the first's
    const dropped = kafka.proxy.dropAnswer(isProduce).then(() => kafka.proxy.cut());
    // Same key, same partition as the first append: another partition of the new topic may not have a leader yet.
    await expect(appendWith('first', 'written, and nobody was told')).rejects.toMatchObject(unavailable);
    await dropped;
    kafka.proxy.heal();
    expect(await readTopic(kafka.address, topic)).toContain('written, and nobody was told');
  }, 90_000);

  it('F19 asks for the word of all in-sync replicas, not of the leader alone', async () => {
    const asked: number[] = [];
    const noteAcks = (frame: Buffer): boolean => {
      if (isProduce(frame)) asked.push(acksOf(frame));
      return false; // the request passes
    };
    void kafka.proxy.dropAnswer(noteAcks);
    await connect(1_500);
    await append('one more');
    expect(new Set(asked)).toEqual(new Set([ofAllReplicas]));
  }, 90_000);

  it('F20 goes on after an error that kafkajs takes for final: only that append fails', async () => {
    await connect(30_000);
    const changed = kafka.proxy.changeAnswer(isProduce, (answer) => withErrorCode(answer, invalidRecord));
    await expect(soonerThan(29_000, append('refused'))).rejects.toMatchObject(unavailable); // before its deadline
    await changed;
    await append('next');
  }, 90_000);

  it('F20 fails no append for another one of its request', async () => {
    await connect(30_000);
    const changed = kafka.proxy.changeAnswer(isProduce, (answer) => withErrorCode(answer, invalidRecord));
    const results = await Promise.allSettled(['a', 'b', 'c'].map(append)); // one request, refused; then each by itself
    await changed;
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled']);
  }, 90_000);

  it('F21 acknowledges nothing for a partition that is gone, whose records kafkajs silently leaves out', async () => {
    await connect(1_500);
    const admin = new Kafka({ brokers: [kafka.address], logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    // The broker may show it a little longer, and then it would not be made anew.
    await eventually(async () => !(await admin.listTopics()).includes(topic), { withinMs: 30_000 });
    await admin.disconnect();
    await makeTopic(kafka.address, topic); // fewer partitions than before
    const ids = Array.from({ length: 30 }, () => randomUUID());
    const results = await Promise.allSettled(ids.map(append));
    const acknowledged = ids.filter((_id, index) => results[index]?.status === 'fulfilled');
    const inLog = new Set(await readTopic(kafka.address, topic));
    expect(acknowledged.filter((id) => !inLog.has(id))).toEqual([]);
  }, 90_000);

  it('holds a bounded amount while nothing goes through, and refuses the rest at once', async () => {
    await connect(2_000);
    await kafka.freeze();
    const megabyte = Buffer.alloc(1024 * 1024);
    const appends = Array.from({ length: 80 }, () => eventLog.append(topic, [{ key: 'x', value: megabyte }]));
    const refusedAtOnce = await Promise.all(appends.slice(-10).map((appended) => appended.catch(messageOf)));
    expect(new Set(refusedAtOnce)).toEqual(new Set(['The log has too many records waiting. Try again shortly.']));
    const rest = await Promise.allSettled(appends);
    expect(rest.every(({ status }) => status === 'rejected')).toBe(true);
    await kafka.thaw();
    await eventually(() => append('taken again'), { withinMs: 30_000 });
  }, 90_000);

  it('leaves idle connections alone', async () => {
    await connect(1_000);
    const stock = globalThis.setTimeout;
    let timers = 0;
    globalThis.setTimeout = Object.assign(
      (...args: Parameters<typeof stock>) => ((timers += 1), stock(...args)),
      stock,
    );
    await new Promise((resolve) => stock(resolve, 300));
    globalThis.setTimeout = stock;
    expect(timers).toBeLessThan(20); // unmended kafkajs: one per millisecond and connection
  });
});

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
