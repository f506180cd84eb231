import { z } from 'zod';

/** How to reach Kafka, and what it is asked for. */
export const kafkaSettings = {
  KAFKA_BROKERS: z
    .string()
    .regex(/^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/, { error: 'must be host:port, several comma-separated' })
    .optional()
    .describe('With EVENT_LOG=kafka: `host:port` of some brokers, comma-separated.'),
  KAFKA_REPLICATION_FACTOR: z.coerce
    .number()
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe(
      'Brokers that each keep every event; with 3, a 201 means that two had it. Fewer, as in development, must be said.',
    ),
  KAFKA_TLS: z.stringbool().default(false).describe('Whether brokers are reached by TLS.'),
  KAFKA_USERNAME: z.string().min(1).optional().describe('User at Kafka, SASL SCRAM-SHA-512; none if not given.'),
  KAFKA_PASSWORD: z.string().min(1).optional().describe('Its password.'),
};
