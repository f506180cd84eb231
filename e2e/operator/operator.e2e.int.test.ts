import { randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bodyHashOf, usageEventsTopic } from '@tollgate/contracts/event-record';
import type { Usage } from '@tollgate/contracts/usage';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import { systemClock } from '@tollgate/kernel/clock';
import { keyedEventId } from '@tollgate/kernel/event-id';
import { frameRecords } from '@tollgate/event-log/record-framing';
import { busyMs, eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { createAnswerCheck } from '@tollgate/testkit/openapi-answer-check';
import { openOracleDatabase, type OracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { buildStandalone, startStandalone, type StandaloneProcess } from '@tollgate/testkit/standalone-process';

const operatorToken = randomUUID();
const env = { OPERATOR_TOKEN: operatorToken, SANDBOX_CLOCK_START: '2023-11-16T18:15:00Z' };
const startMs = new Date('2023-11-16T18:15:00.000Z').getTime();

interface Clock {
  readonly now: string;
  readonly frozen: boolean;
}
interface DeadLetter {
  readonly id: string;
  readonly code: string;
  readonly event_id: string | null;
  readonly replayed_as: string | null;
}
interface Period {
  readonly closable: boolean;
  readonly counted_through: string;
}

describe('what the operator can do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-operator-'));
  chmodSync(folder, 0o711); // root's PostgreSQL runs as somebody else, who must get through
  const dataDir = join(folder, 'data');
  const started: StandaloneProcess[] = [];
  let database: OracleDatabase | undefined;
  let client: HttpClient;

  beforeAll(async () => {
    await buildStandalone();
    await start();
  }, 180_000);

  afterAll(async () => {
    await database?.end();
    for (const product of started) await product.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<void> {
    const product = startStandalone({ dataDir, env });
    started.push(product);
    const { baseUrl } = await product.ready();
    const document = await createHttpClient({ baseUrl })<object>('GET', '/openapi.json');
    client = createHttpClient({ baseUrl, answerCheck: createAnswerCheck(document.body) });
    database = await openOracleDatabase(dataDir);
  }

  const asOperator = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const answer = await client<Body>(method, path, { token: operatorToken, ...(body && { body }) });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  const clock = () => asOperator<Clock>('GET', '/v1/sandbox/clock');
  const move = (body: object) => asOperator<Clock>('POST', '/v1/sandbox/clock', body);
  const nowMs = async () => Date.parse((await clock()).now);
  const countedThrough = async () =>
    Date.parse((await asOperator<Period>('GET', '/v1/operator/periods/2023-11')).counted_through);

  async function register(): Promise<{ token: string; email: string; accountId: string }> {
    const email = `${randomUUID()}@example.com`;
    const body = { email, password: 'correct horse battery' };
    const { access_token: token } = (await client<{ access_token: string }>('POST', '/v1/auth/register', { body }))
      .body;
    const { account_id: accountId } = (await client<{ account_id: string }>('GET', '/v1/auth/me', { token })).body;
    return { token, email, accountId };
  }

  async function newTool(token: string): Promise<string> {
    const slug = `tool-${randomUUID()}`;
    const body = { slug, name: slug, price: { per_call_usd: '0.002' } };
    expect((await client('POST', '/v1/tools', { token, body })).status).toBe(201);
    return slug;
  }

  describe('with the clock', () => {
    it('begins where the empty database was told to, for all services', async () => {
      expect((await nowMs()) - startMs).toBeLessThan(60_000);
      const { token } = await register();
      const account = await client<{ created_at: string }>('GET', '/v1/auth/me', { token });
      const recorded = await client<{ timestamp: string }>('POST', '/v1/events', {
        token,
        body: { tool_id: await newTool(token) },
      });
      for (const time of [account.body.created_at, recorded.body.timestamp]) expect(time).toMatch(/^2023-11-16T18:1/);
    });

    it('is answered when all that was received before is counted, in far less than a round of anything', async () => {
      const beganMs = systemClock.monotonicMs();
      for (let round = 1; round <= 5; round += 1) {
        const moved = await move({ advance_seconds: 3_600 });
        expect(await countedThrough()).toBeGreaterThanOrEqual(Date.parse(moved.now) - 7_500);
      }
      expect(systemClock.monotonicMs() - beganMs).toBeLessThan(5_000 + busyMs);
    });

    it('F44 records and counts in the month that it was moved to, whose tables nobody had made', async () => {
      const before = await nowMs();
      const { now } = await move({ now: new Date(before + 31 * dayMs).toISOString() });
      const { token } = await register();
      const toolId = await newTool(token);
      const { body } = await client<{ event_id: string }>('POST', '/v1/events', { token, body: { tool_id: toolId } });
      await eventually(async () => (await client('GET', `/v1/events/${body.event_id}`, { token })).status === 200, {
        withinMs: 5_000,
      });
      const day = now.slice(0, 10).replaceAll('-', '');
      const tables = await database?.query<{ relname: string }>(
        "select relname from pg_class where relname in ('event_' || $1, 'record_batch_' || $1)",
        [day],
      );
      expect(tables?.rows).toHaveLength(2);
    });

    it('expires tokens and events, and goes on refreshing', async () => {
      const { token } = await register();
      const toolId = await newTool(token);
      const { access_token: kept } = (await client<{ access_token: string }>('POST', '/v1/auth/refresh', { token }))
        .body;
      await move({ advance_seconds: 3_601 });
      expect((await client('GET', '/v1/auth/me', { token: kept })).status).toBe(401);
      const refreshed = await client<{ access_token: string }>('POST', '/v1/auth/refresh', { token: kept });
      const fresh = refreshed.body.access_token;
      const now = await nowMs();
      const record = (ageMs: number) =>
        client('POST', '/v1/events', {
          token: fresh,
          body: { tool_id: toolId, timestamp: new Date(now - ageMs).toISOString() },
        });
      expect((await record(dayMs - hourMs)).status).toBe(201);
      expect(await record(dayMs + 1_000)).toMatchObject({ status: 422, body: { code: 'event_expired' } });
    });

    it('makes the month closable once the watermark is a day past its end', async () => {
      expect(await asOperator<Period>('GET', '/v1/operator/periods/2023-11')).toMatchObject({
        closable: true,
        closable_at: '2023-12-02T00:00:00.000Z',
      });
      expect(await asOperator<Period>('GET', '/v1/operator/periods/2024-05')).toMatchObject({ closable: false });
      await move({ now: '2024-06-02T00:00:08Z' });
      expect(await asOperator<Period>('GET', '/v1/operator/periods/2024-05')).toMatchObject({ closable: true });
    });

    it('never goes back, stands where it is frozen, and stands there after a kill', async () => {
      const frozen = await move({ advance_seconds: 60, frozen: true });
      expect(frozen.frozen).toBe(true);
      const back = await client('POST', '/v1/sandbox/clock', {
        token: operatorToken,
        body: { now: env.SANDBOX_CLOCK_START },
      });
      expect(back).toMatchObject({ status: 409, body: { code: 'clock_moved_back' } });
      expect(await clock()).toEqual(frozen);
      await database?.end();
      await started[0]?.killAll();
      await start();
      expect(await clock()).toEqual(frozen);
      expect((await move({})).frozen).toBe(false);
    });
  });

  describe('with dead letters', () => {
    const append = async (record: Uint8Array) => {
      await database?.query('select event_log.ensure_segment($1)', [(await clock()).now.slice(0, 10)]);
      const payload = frameRecords([{ key: 'k', value: record }]);
      await database?.query('select event_log.append($1, $2, $3, $4, $5, $6)', [
        usageEventsTopic,
        [0],
        [1],
        [payload.length],
        payload,
        new Date(await nowMs()),
      ]);
    };
    const letters = async (query = '') =>
      (await asOperator<{ dead_letters: DeadLetter[] }>('GET', `/v1/operator/dead-letters${query}`)).dead_letters;

    it('F25 finds a record that nobody can read, with its bytes, and puts it aside again when it is replayed', async () => {
      const bytes = Buffer.from([0, 255, 123]);
      await append(bytes);
      await eventually(async () => (await letters()).length === 1, { withinMs: 5_000 });
      const [letter] = await letters();
      const path = `/v1/operator/dead-letters/${letter?.id}`;
      expect(await asOperator('GET', path)).toMatchObject({ record_base64: bytes.toString('base64'), event_id: null });
      const { replayed_as: again } = await asOperator<DeadLetter>('POST', `${path}/replay`);
      await eventually(async () => (await letters('?replayed=false')).some(({ id }) => id === again), {
        withinMs: 5_000,
      });
    });

    it('F06 keeps a conflict a conflict, however often it is replayed', async () => {
      const { token, accountId } = await register();
      const toolId = await newTool(token);
      const key = randomUUID();
      const body = { tool_id: toolId, idempotency_key: key };
      expect((await client('POST', '/v1/events', { token, body })).status).toBe(201);
      const calls = async () => {
        const { body: usage } = await client<Usage>('GET', `/v1/usage?tool_id=${toolId}`, { token });
        return usage.totals.calls;
      };
      await eventually(async () => (await calls()) === 1, { withinMs: 5_000 }); // or the other might be counted first
      const at = new Date(await nowMs()).toISOString();
      const other = { tool_id: toolId, success: false };
      const eventId = keyedEventId(accountId, key);
      const record = {
        v: 1,
        event_id: eventId,
        consumer_id: accountId,
        occurred_at: at,
        received_at: at,
        ...other,
        idempotency_key: key,
        body_hash: bodyHashOf(other),
      };
      await append(Buffer.from(JSON.stringify(record)));
      const query = `?consumer_id=${accountId}&code=idempotency_conflict`;
      await eventually(async () => (await letters(query)).length === 1, { withinMs: 5_000 });
      const [first] = await letters(query);
      const { replayed_as: again } = await asOperator<DeadLetter>(
        'POST',
        `/v1/operator/dead-letters/${first?.id}/replay`,
      );
      await eventually(async () => (await letters(query)).some(({ id }) => id === again), { withinMs: 5_000 });
      const usage = await client('GET', `/v1/usage?tool_id=${toolId}`, { token });
      expect(usage.body).toMatchObject({ totals: { calls: 1, failures: 0 } });
    });
  });

  it('with accounts: by e-mail, however it is written, and by id', async () => {
    const { email, accountId } = await register();
    const account = { account_id: accountId, email };
    expect(await asOperator('GET', `/v1/operator/accounts?email=${email.toUpperCase()}`)).toMatchObject({
      accounts: [account],
      total: 1,
    });
    expect(await asOperator('GET', `/v1/operator/accounts/${accountId}`)).toMatchObject(account);
  });
});
