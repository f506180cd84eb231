import { z } from 'zod';

const optionalText = z.string().min(1).optional();

/** How to reach Kafka, and how many brokers keep each event. */
export const kafkaSettings = {
  KAFKA_BROKERS: z
    .string()
    .regex(/^[^\s,:]+:\d+(,[^\s,:]+:\d+)*$/, { error: 'must be host:port, several comma-separated' })
    .optional()
    .describe('With EVENT_LOG=kafka or RELAY_TO=kafka: `host:port` of some brokers, comma-separated.'),
  KAFKA_REPLICATION_FACTOR: z.coerce
    .number()
    .int()
    .min(1)
    .max(10)
    .default(3)
    .describe('How many brokers keep each event. With 3, a 201 means that two have it. Set fewer for development.'),
  KAFKA_TLS: z.stringbool().default(false).describe('Whether to connect to brokers by TLS.'),
  KAFKA_TLS_CA_FILE: optionalText.describe(
    'File with the certificates (PEM) of the authority that signed those of the brokers. Without it, those that Node trusts.',
  ),
  KAFKA_TLS_CERTIFICATE_FILE: optionalText.describe(
    'File with the certificate (PEM) by which we sign in at Kafka (mTLS).',
  ),
  KAFKA_TLS_KEY: optionalText.describe('Private key (PEM) of that certificate.'),
  KAFKA_SASL_MECHANISM: z
    .enum(['plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'])
    .default('scram-sha-512')
    .describe('How we sign in at Kafka. `plain` and `oauthbearer` need KAFKA_TLS.'),
  KAFKA_USERNAME: optionalText.describe('User name at Kafka. Without it, there is no sign-in by password.'),
  KAFKA_PASSWORD: optionalText.describe('Password of KAFKA_USERNAME.'),
  KAFKA_OAUTH_TOKEN_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
    .optional()
    .describe('With `oauthbearer`: where we get tokens, by the client credentials grant (RFC 6749, 4.4).'),
  KAFKA_OAUTH_CLIENT_ID: optionalText.describe('Client id of Tollgate at that server.'),
  KAFKA_OAUTH_CLIENT_SECRET: optionalText.describe('Client secret of Tollgate at that server.'),
  KAFKA_OAUTH_SCOPE: optionalText.describe('The scope to ask for, if the authority needs one.'),
};
