import { z } from 'zod';

/** How to reach Kafka, and how many brokers keep each event. */
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
    .describe('How many brokers keep each event. With 3, a 201 means that two have it. Set fewer for development.'),
  KAFKA_TLS: z.stringbool().default(false).describe('Whether to connect to brokers by TLS.'),
  KAFKA_USERNAME: z
    .string()
    .min(1)
    .optional()
    .describe('User name at Kafka (SASL SCRAM-SHA-512). Without it, there is no authentication.'),
  KAFKA_PASSWORD: z.string().min(1).optional().describe('Password of KAFKA_USERNAME.'),
};
