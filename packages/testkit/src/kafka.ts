import { askTestServer } from './jest/ask-test-server.ts';
import type { TestKafka } from './jest/cluster-keeper.ts';
import { findKafkaPlace } from './kafka/find-kafka-place.ts';
import { describeWhere } from './servers/describe-where.ts';

/** This run's Kafka, started when first asked for. It belongs to all: make topics of your own, kill one of your own. */
export async function testKafka(): Promise<TestKafka> {
  const answer = await askTestServer<TestKafka>('kafka.sock');
  if ('error' in answer) throw new Error(`the test Kafka did not start: ${answer.error}`);
  return answer;
}

/** `describe` where a Kafka can be started, else one that skips the suite and says why. Awaited at the top of a test file. */
export const describeWithKafka = () => describeWhere('Kafka', findKafkaPlace);
