import { describe } from '@jest/globals';
import { describeWithKafka } from './kafka.ts';
import { describeWithRedis } from './redis.ts';

/** For a suite that needs both: either one says what is missing. Awaited at the top of a test file. */
export const describeWithKafkaAndRedis = async () =>
  describeWithRedis === describe ? describeWithKafka() : describeWithRedis;
