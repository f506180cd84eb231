import { describe } from '@jest/globals';
import { askTestServer } from './jest/ask-test-server.ts';
import type { TestKafka } from './jest/cluster-keeper.ts';
import { findKafkaJars } from './kafka/kafka-jars.ts';

type Describe = (name: string, suite: () => void) => void;

/** This run's Kafka, started when first asked for. It belongs to all: make topics of your own, kill one of your own. */
export async function testKafka(): Promise<TestKafka> {
  const answer = await askTestServer<TestKafka>('kafka.sock');
  if ('error' in answer) throw new Error(`the test Kafka did not start: ${answer.error}`);
  return answer;
}

/**
 * `describe` where a Kafka can be started, else one that skips the suite and says why. Awaited at the top of a test file.
 */
export async function describeWithKafka(): Promise<Describe> {
  const reason = await findKafkaJars().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (reason === undefined) return describe;
  process.stderr.write(`suites that need Kafka are skipped: ${reason}\n`);
  const { skip } = describe;
  return (name, suite) => skip(`${name} (skipped: ${reason})`, suite);
}
