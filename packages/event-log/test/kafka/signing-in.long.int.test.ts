import { createServer, type Server } from 'node:http';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { listenLocally } from '@tollgate/testkit/listen-locally';
import { findKafkaJars } from '@tollgate/testkit/kafka/kafka-jars';
import { openKafkaAccess } from '@tollgate/testkit/kafka/kafka-access';
import type { Settings } from '@tollgate/testkit/kafka/kafka-node';
import { startKafka, type KafkaBroker } from '@tollgate/testkit/kafka/start-kafka';
import { makeCertificates, type Certificate } from '@tollgate/testkit/make-certificates';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { kafkaConnectionOf, type KafkaSettings } from '../../src/kafka/kafka-connection.ts';
import { kafkaLogAt, makeTopic } from '../support/kafka-log.ts';

const topic = 'signing-in';
const needs = { partitions: 1, replicationFactor: 1 };
const secret = 'never-to-be-seen-in-an-error';
const user = { KAFKA_USERNAME: 'tollgate', KAFKA_PASSWORD: secret };
const describeKafka = await describeWhere('Kafka and its own commands', findKafkaJars);

let folder: string;
let certificates: Readonly<Record<'broker' | 'client', Certificate>>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'signing-in-'));
  certificates = await makeCertificates(['broker', 'client']);
}, 30_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The listener behind the proxy asks for TLS and more. */
function askingBroker(protocol: 'SASL_SSL' | 'SSL', own: Settings): Settings {
  const { ca, cert, key } = certificates.broker;
  const listener = 'listener.name.proxy';
  return {
    'listener.security.protocol.map': `PLAINTEXT:PLAINTEXT,PROXY:${protocol},CONTROLLER:PLAINTEXT`,
    [`${listener}.ssl.keystore.type`]: 'PEM',
    [`${listener}.ssl.keystore.certificate.chain`]: inOneLine(cert),
    [`${listener}.ssl.keystore.key`]: inOneLine(key),
    [`${listener}.ssl.truststore.type`]: 'PEM',
    [`${listener}.ssl.truststore.certificates`]: inOneLine(ca),
    ...own,
  };
}

function inOneLine(pem: string): string {
  return pem.replaceAll('\n', '\\n');
}

function settingsOf(broker: KafkaBroker, own: Partial<KafkaSettings>): KafkaSettings {
  const caFile = join(folder, 'ca.pem');
  writeFileSync(caFile, certificates.broker.ca);
  return {
    KAFKA_BROKERS: broker.proxiedAddress,
    KAFKA_REPLICATION_FACTOR: 1,
    KAFKA_TLS: true,
    KAFKA_TLS_CA_FILE: caFile,
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
    ...own,
  };
}

/** Checks the topic, as each service's start does, and appends a record. */
async function appendOne(settings: KafkaSettings): Promise<unknown> {
  const eventLog = kafkaLogAt('', { connection: kafkaConnectionOf(settings), topics: { [topic]: needs } });
  try {
    await eventLog.start();
    return await eventLog.append(topic, [{ key: 'k', value: new TextEncoder().encode('{}') }]);
  } finally {
    await eventLog.stop();
  }
}

async function refusalOf(settings: KafkaSettings): Promise<string> {
  const error: unknown = await appendOne(settings).then(
    () => new Error('it was admitted'),
    (reason: unknown) => reason,
  );
  return String(error);
}

describeKafka('a Kafka that asks for a password or a token', () => {
  let broker: KafkaBroker;
  let authority: Server;
  let tokenUrl: string;
  let isAuthorityBusy = false;

  beforeAll(async () => {
    const jaas = 'org.apache.kafka.common.security';
    broker = await startKafka({
      isEncrypted: true,
      settings: askingBroker('SASL_SSL', {
        'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,OAUTHBEARER',
        'listener.name.proxy.plain.sasl.jaas.config': `${jaas}.plain.PlainLoginModule required user_tollgate="${secret}";`,
        'listener.name.proxy.scram-sha-256.sasl.jaas.config': `${jaas}.scram.ScramLoginModule required;`,
        'listener.name.proxy.oauthbearer.sasl.jaas.config': `${jaas}.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";`,
      }),
    });
    await makeTopic(broker.address, topic, needs);
    const access = await openKafkaAccess(broker.address, { mechanism: 'SCRAM-SHA-256' });
    await access.givePassword('tollgate', secret);
    await access.close();
    authority = createServer((request, response) => {
      if (isAuthorityBusy) return response.writeHead(503).end();
      const [, given = ''] = request.headers.authorization?.split('Basic ') ?? [];
      const isRight = decodeURIComponent(Buffer.from(given, 'base64').toString()) === `tollgate:${secret}`;
      const answer = isRight
        ? { access_token: unsignedToken(), token_type: 'Bearer', expires_in: 300 }
        : { error: 'invalid_client' };
      return response
        .writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer));
    });
    tokenUrl = `http://127.0.0.1:${await listenLocally(authority)}/token`;
  }, 120_000);
  afterAll(async () => {
    authority?.closeAllConnections();
    authority?.close();
    await broker?.destroy();
  });

  const byToken = (clientSecret = secret): Partial<KafkaSettings> => ({
    KAFKA_SASL_MECHANISM: 'oauthbearer',
    KAFKA_OAUTH_TOKEN_URL: tokenUrl,
    KAFKA_OAUTH_CLIENT_ID: 'tollgate',
    KAFKA_OAUTH_CLIENT_SECRET: clientSecret,
  });

  it.each(['plain', 'scram-sha-256'] as const)(
    'F182 admits us by %s, and refuses another password',
    async (mechanism) => {
      const settings = settingsOf(broker, { KAFKA_SASL_MECHANISM: mechanism, ...user });
      expect(await appendOne(settings)).toEqual([{ partition: 0, offset: expect.any(BigInt) }]);
      const said = await refusalOf({ ...settings, KAFKA_PASSWORD: 'another-secret' });
      expect(said).toMatch(/authentication failed/i);
      expect(said).not.toContain('another-secret');
    },
  );

  it('F182 admits us by a token, and tells who refused one', async () => {
    expect(await appendOne(settingsOf(broker, byToken()))).toHaveLength(1);
    const said = await refusalOf(settingsOf(broker, byToken('another-secret')));
    expect(said).toContain('The authority refuses a token for Kafka: invalid_client (HTTP 401)');
    expect(said).not.toContain('another-secret');
  });

  it('F182 waits for an authority that is busy', async () => {
    isAuthorityBusy = true;
    const appended = appendOne(settingsOf(broker, byToken()));
    const early = await Promise.race([appended, new Promise((resolve) => setTimeout(resolve, 2_500, 'waiting'))]);
    expect(early).toBe('waiting');
    isAuthorityBusy = false;
    expect(await appended).toHaveLength(1);
  }, 60_000);

  it('F182 refuses a broker whose certificate nobody vouches for, before any password is sent', async () => {
    const { KAFKA_TLS_CA_FILE: _, ...trustingNode } = settingsOf(broker, { KAFKA_SASL_MECHANISM: 'plain', ...user });
    expect(await refusalOf(trustingNode)).toMatch(/certificate/);
  });
});

describeKafka('a Kafka that asks for a certificate', () => {
  let broker: KafkaBroker;

  beforeAll(async () => {
    const settings = askingBroker('SSL', { 'listener.name.proxy.ssl.client.auth': 'required' });
    broker = await startKafka({ settings, isEncrypted: true });
    await makeTopic(broker.address, topic, needs);
  }, 120_000);
  afterAll(() => broker?.destroy());

  it('F182 admits us by ours, and ends the start without one', async () => {
    const file = join(folder, 'client.pem');
    writeFileSync(file, certificates.client.cert);
    const own = { KAFKA_TLS_CERTIFICATE_FILE: file, KAFKA_TLS_KEY: certificates.client.key };
    expect(await appendOne(settingsOf(broker, own))).toHaveLength(1);
    expect(await refusalOf(settingsOf(broker, {}))).toMatch(/certificate/i);
  });
});

describe('settings that do not fit', () => {
  const plain: KafkaSettings = {
    KAFKA_BROKERS: 'kafka:9092',
    KAFKA_REPLICATION_FACTOR: 1,
    KAFKA_TLS: false,
    KAFKA_SASL_MECHANISM: 'scram-sha-512',
  };

  it.each<[string, Partial<KafkaSettings>, string]>([
    ['a user without password', { KAFKA_USERNAME: 'u' }, 'KAFKA_PASSWORD: and KAFKA_USERNAME must be set together'],
    ['a password in clear', { ...user, KAFKA_SASL_MECHANISM: 'plain' }, 'KAFKA_TLS: must be true with plain'],
    ['plain without a user', { KAFKA_SASL_MECHANISM: 'plain', KAFKA_TLS: true }, 'KAFKA_USERNAME: is required'],
    ['a token from nowhere', { KAFKA_SASL_MECHANISM: 'oauthbearer', KAFKA_TLS: true }, 'KAFKA_OAUTH_TOKEN_URL: is req'],
    ['a key without certificate', { KAFKA_TLS: true, KAFKA_TLS_KEY: 'k' }, 'KAFKA_TLS_KEY: and KAFKA_TLS_CERTIF'],
    ['an authority without TLS', { KAFKA_TLS_CA_FILE: '/ca.pem' }, 'KAFKA_TLS_CA_FILE: needs KAFKA_TLS=true'],
    ['a file that is not there', { KAFKA_TLS: true, KAFKA_TLS_CA_FILE: '/nowhere/ca.pem' }, '(ENOENT)'],
    ['no brokers', { KAFKA_BROKERS: undefined }, 'KAFKA_BROKERS: is required with Kafka'],
  ])('names the setting: %s', (_, own, said) => {
    expect(() => kafkaConnectionOf({ ...plain, ...own })).toThrow(said);
  });
});

/** Kafka's default check of tokens takes unsigned ones. */
function unsignedToken(): string {
  const nowSeconds = Math.floor(systemClock.now() / 1_000);
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: 'tollgate', iat: nowSeconds, exp: nowSeconds + 300 })}.`;
}
