import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createKafkaClient, type KafkaConnection } from './connection.ts';
import { mendTopic, refuseUnfitTopic, type TopicNeeds } from './topics.ts';

export interface MendTopicsOptions {
  readonly connection: KafkaConnection;
  readonly topics: Readonly<Record<string, TopicNeeds>>;
  readonly log: Logger;
}

const retry = { initialRetryTime: 100, maxRetryTime: 1_000, retries: 10 };
const requestTimeoutMs = 10_000;

/** Makes the topics or repairs them in place, then checks them. Answers what it did. Safe to repeat. */
export async function mendTopics({ connection, topics, log }: MendTopicsOptions): Promise<string[]> {
  const admin = createKafkaClient({ connection, log, retry, requestTimeoutMs }).admin();
  await admin.connect();
  try {
    const done: string[] = [];
    for (const [topic, needs] of Object.entries(topics)) {
      done.push(await mendTopic(admin, topic, needs));
      await untilFit(() => refuseUnfitTopic(admin, topic, needs));
    }
    return done;
  } finally {
    await admin.disconnect();
  }
}

/** Every broker learns of a change within a moment. */
async function untilFit(refuseUnfit: () => Promise<void>): Promise<void> {
  for (let triesLeft = 50; ; triesLeft -= 1) {
    try {
      return await refuseUnfit();
    } catch (error) {
      if (triesLeft === 0) throw error;
      await wait(100);
    }
  }
}
