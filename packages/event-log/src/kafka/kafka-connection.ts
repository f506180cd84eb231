import { readFileSync } from 'node:fs';
import { ConfigError, type ConfigProblem } from '@tollgate/runtime/config/config-error';
import type { KafkaConnection, KafkaSignIn, KafkaTls } from './connection.ts';
import { createOauthTokens } from './oauth-tokens.ts';

/** See packages/runtime/src/config/kafka-settings.ts. */
export interface KafkaSettings {
  readonly KAFKA_BROKERS?: string | undefined;
  readonly KAFKA_REPLICATION_FACTOR: number;
  readonly KAFKA_TLS: boolean;
  readonly KAFKA_TLS_CA_FILE?: string | undefined;
  readonly KAFKA_TLS_CERTIFICATE_FILE?: string | undefined;
  readonly KAFKA_TLS_KEY?: string | undefined;
  readonly KAFKA_SASL_MECHANISM: 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer';
  readonly KAFKA_USERNAME?: string | undefined;
  readonly KAFKA_PASSWORD?: string | undefined;
  readonly KAFKA_OAUTH_TOKEN_URL?: string | undefined;
  readonly KAFKA_OAUTH_CLIENT_ID?: string | undefined;
  readonly KAFKA_OAUTH_CLIENT_SECRET?: string | undefined;
  readonly KAFKA_OAUTH_SCOPE?: string | undefined;
}

/** Throws a ConfigError that lists the settings which do not fit together, and files that cannot be read. */
export function kafkaConnectionOf(settings: KafkaSettings): KafkaConnection {
  const problems = findProblems(settings);
  const tls = settings.KAFKA_TLS ? readTls(settings, problems) : undefined;
  if (problems.length > 0) throw new ConfigError(problems);
  const signIn = signInOf(settings);
  return {
    brokers: (settings.KAFKA_BROKERS ?? '').split(','),
    ...(tls === undefined ? {} : { tls }),
    ...(signIn === undefined ? {} : { signIn }),
  };
}

function findProblems(settings: KafkaSettings): ConfigProblem[] {
  const { KAFKA_BROKERS: brokers, KAFKA_SASL_MECHANISM: mechanism, KAFKA_TLS: tls } = settings;
  const problems = mechanism === 'oauthbearer' ? oauthProblems(settings) : passwordProblems(settings);
  if (brokers === undefined) problems.push({ name: 'KAFKA_BROKERS', message: 'is required with Kafka' });
  if (isSignInReadable(settings)) {
    problems.push({ name: 'KAFKA_TLS', message: `must be true with ${mechanism}, which sends a secret as it is` });
  }
  for (const name of ['KAFKA_TLS_CA_FILE', 'KAFKA_TLS_CERTIFICATE_FILE', 'KAFKA_TLS_KEY'] as const) {
    if (settings[name] !== undefined && !tls) problems.push({ name, message: 'needs KAFKA_TLS=true' });
  }
  if ((settings.KAFKA_TLS_CERTIFICATE_FILE === undefined) !== (settings.KAFKA_TLS_KEY === undefined)) {
    problems.push({ name: 'KAFKA_TLS_KEY', message: 'and KAFKA_TLS_CERTIFICATE_FILE must be set together' });
  }
  return problems;
}

function oauthProblems(settings: KafkaSettings): ConfigProblem[] {
  const needed = ['KAFKA_OAUTH_TOKEN_URL', 'KAFKA_OAUTH_CLIENT_ID', 'KAFKA_OAUTH_CLIENT_SECRET'] as const;
  const lacking = needed.filter((name) => settings[name] === undefined);
  const problems = lacking.map((name) => ({ name: String(name), message: 'is required with oauthbearer' }));
  if (settings.KAFKA_USERNAME !== undefined)
    problems.push({ name: 'KAFKA_USERNAME', message: 'is not used with oauthbearer; unset it' });
  return problems;
}

function passwordProblems(settings: KafkaSettings): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  if ((settings.KAFKA_USERNAME === undefined) !== (settings.KAFKA_PASSWORD === undefined))
    problems.push({ name: 'KAFKA_PASSWORD', message: 'and KAFKA_USERNAME must be set together' });
  if (settings.KAFKA_SASL_MECHANISM === 'plain' && settings.KAFKA_USERNAME === undefined)
    problems.push({ name: 'KAFKA_USERNAME', message: 'is required with plain' });
  return problems;
}

function isSignInReadable({ KAFKA_SASL_MECHANISM: mechanism, KAFKA_TLS: tls }: KafkaSettings): boolean {
  return !tls && (mechanism === 'plain' || mechanism === 'oauthbearer');
}

function readTls(settings: KafkaSettings, problems: ConfigProblem[]): KafkaTls {
  const { KAFKA_TLS_CA_FILE: caFile, KAFKA_TLS_CERTIFICATE_FILE: certificateFile, KAFKA_TLS_KEY: key } = settings;
  const ca = caFile === undefined ? undefined : readPem('KAFKA_TLS_CA_FILE', caFile, problems);
  const cert =
    certificateFile === undefined ? undefined : readPem('KAFKA_TLS_CERTIFICATE_FILE', certificateFile, problems);
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined || key === undefined ? {} : { cert, key }),
  };
}

function readPem(name: string, file: string, problems: ConfigProblem[]): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown reason';
    problems.push({ name, message: `the file ${file} cannot be read (${code})` });
    return undefined;
  }
}

function signInOf(settings: KafkaSettings): KafkaSignIn | undefined {
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_USERNAME: username, KAFKA_PASSWORD: password } = settings;
  if (mechanism !== 'oauthbearer')
    return username === undefined || password === undefined ? undefined : { mechanism, username, password };
  const { KAFKA_OAUTH_TOKEN_URL: tokenUrl, KAFKA_OAUTH_CLIENT_ID: clientId } = settings;
  const { KAFKA_OAUTH_CLIENT_SECRET: clientSecret, KAFKA_OAUTH_SCOPE: scope } = settings;
  if (tokenUrl === undefined || clientId === undefined || clientSecret === undefined) return undefined; // refused above
  return { mechanism, readToken: createOauthTokens({ tokenUrl, clientId, clientSecret, scope }) };
}
