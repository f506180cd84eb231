import { randomUUID } from 'node:crypto';
import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';
import { createDatabase, type Database } from '@tollgate/database/database';
import { createMovableClock, type MovableClock } from '@tollgate/kernel/clock';
import { loadConfig } from '@tollgate/runtime/config/load-config';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { createAuthRows } from '@tollgate/testkit/auth-rows';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { serveHttp } from '@tollgate/testkit/http-server';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { testDatabase } from '@tollgate/testkit/postgres';
import { configSchema } from '../../src/config.ts';
import { createWebhookSecret } from '../../src/endpoints/webhook-secret.ts';
import { createNotifier } from '../../src/service.ts';
import { startMailServer } from './mail-server.ts';
import { startReceiver, type Behave, type Receiver } from './receiver.ts';

export interface TestAccount {
  readonly accountId: string;
  readonly token: string;
}

export interface EndpointBody {
  readonly id: string;
  readonly secret: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly disabled_reason: string | null;
  readonly failing_since: string | null;
}

interface RegisteredRow {
  readonly url: string;
  /** Seals a secret for an endpoint. */
  readonly secret: (endpointId: string, secret: string) => Buffer;
}

export const operatorToken = 'the-operator-of-these-tests-nobody-else';

/** WEBHOOK_ENCRYPTION_SECRET of these tests. */
export const sealedWith = 'what seals the secrets of these tests';

const answerCheck = createAnswerCheck(createOpenApiDocument({ version: '0.0.0' }));

interface Options {
  /** No notifier runs before the test starts one. */
  readonly isIdle?: boolean;
  /** As in production: this machine may not be called. */
  readonly isPublicOnly?: boolean;
  /** Mails go to a mail server of the test. */
  readonly mails?: boolean;
}

/** MAIL_SECRET of these tests. */
export const mailSecret = 'what seals and signs the links of these tests';
export const publicUrl = 'https://tollgate.example';
const sender = 'Tollgate Tests <billing@tollgate.example>';

/** The whole service over real sockets, with a database of its own. Its real time ticks, and tests may advance it. */
export async function startNotifier({ isIdle = false, isPublicOnly = false, mails = false }: Options = {}) {
  const database = await testDatabase();
  const mail = await startMailServer();
  const lines: string[] = [];
  const log = createLogger({
    name: 'notifier',
    level: 'debug',
    destination: { write: (line) => void lines.push(line) },
  });
  const realTime = createMovableClock();
  const owner = createDatabase({ url: database.ownerUrl, name: 'test-owner', maxConnections: 2, log });
  // A new account of a test has a key. Only a test of that mail wants to be told of it.
  if (mails) await owner.query('alter table auth.api_key disable trigger tell_of_key');
  const receivers: Receiver[] = [];
  const beside: { stop(): Promise<void> }[] = [];
  const service = isIdle ? undefined : await begin();

  function configWith(more: Readonly<Record<string, string>>) {
    return loadConfig(configSchema, {
      DATABASE_API_URL: database.urlFor('notifier_api'),
      DATABASE_WORKER_URL: database.urlFor('notifier_worker'),
      WEBHOOK_ENCRYPTION_SECRET: sealedWith,
      ...(isPublicOnly ? {} : { OUTGOING_ALLOW: 'loopback' }),
      OPERATOR_TOKEN: operatorToken,
      ...(mails ? { SMTP_URL: mail.url, MAIL_FROM: sender, MAIL_SECRET: mailSecret, PUBLIC_URL: publicUrl } : {}),
      ...more,
    });
  }

  /** Another process on the same database. */
  async function begin(settings: Readonly<Record<string, string>> = {}) {
    const notifier = createNotifier(configWith(settings), {
      clock: createMovableClock(),
      realTime,
      log,
      mailCa: mail.ca,
    });
    await notifier.start();
    return notifier;
  }

  const server = await serveHttp(service?.handle ?? (() => undefined));
  const send: HttpClient = createHttpClient({ baseUrl: server.baseUrl, answerCheck });
  return {
    owner,
    database,
    mail,
    configWith,
    /** Everything that was logged so far. */
    logged: () => lines.join(''),
    realTime: realTime as MovableClock,
    send,
    async newAccount(): Promise<TestAccount> {
      const rows = createAuthRows(owner);
      const accountId = await rows.createAccount();
      return { accountId, token: (await rows.createKey(accountId)).key };
    },
    async receiver(behave?: Behave): Promise<Receiver> {
      const receiver = await startReceiver(behave);
      receivers.push(receiver);
      return receiver;
    },
    async register({ token }: TestAccount, body: object): Promise<EndpointBody> {
      const { status, body: made, text } = await send<EndpointBody>('POST', '/v1/webhook-endpoints', { token, body });
      if (status !== 201) throw new Error(text);
      return made;
    },
    /** As a trigger of billing does it, in a transaction of its own. */
    tell: (accountId: string, { type = 'invoice.paid', data = {} }: { type?: string; data?: object } = {}) =>
      tellBy(owner, accountId, { type, data }),
    /** An endpoint without a request, for tests that need many, or have no service. */
    async registerRow({ accountId }: TestAccount, { url, secret }: RegisteredRow): Promise<void> {
      const id = randomUUID();
      await owner.query(
        'insert into notify.endpoint (endpoint_id, account_id, url, secret, created_at) values ($1, $2, $3, $4, now())',
        [id, accountId, url, secret(id, createWebhookSecret())],
      );
    },
    async startBeside(settings?: Readonly<Record<string, string>>) {
      const other = await begin(settings);
      let stopped: Promise<void> | undefined;
      const once = { stop: () => (stopped ??= other.stop()) };
      beside.push(once);
      return once;
    },
    async stop() {
      await server.close();
      for (const each of [...beside, service]) await each?.stop();
      await Promise.all(receivers.map((each) => each.stop()));
      await mail.stop();
      await owner.stop();
      await database.drop();
    },
  };
}

async function tellBy(
  owner: Database,
  accountId: string,
  { type, data }: { type: string; data: object },
): Promise<void> {
  await owner.query('select billing.tell($1, $2, $3::jsonb)', [type, accountId, JSON.stringify(data)]);
}
