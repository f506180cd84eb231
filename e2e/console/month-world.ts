import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Tollgate } from '@tollgate/sdk';
import { eventually } from '@tollgate/testkit/eventually';
import { createHttpClient, type HttpClient } from '@tollgate/testkit/http-client';
import { buildStandalone, startStandalone } from '@tollgate/testkit/standalone-process';
import type { Browser } from 'playwright-core';
import { openChromium } from '../chromium.ts';
import { openFolder, type Undo } from '../it-with.ts';
import { pressPage } from '@tollgate/testkit/press-button';
import { password } from './console-world.ts';

const operatorToken = 'operator-token-of-the-pictures-0123456789';
const dayMs = 86_400_000;
const returnUrl = 'https://builder.example/back';

export interface Someone {
  readonly email: string;
  readonly client: Tollgate;
}

/** A builder and a consumer with three weeks of calls behind them, of which one month is closed and paid. */
export interface MonthWorld {
  readonly baseUrl: string;
  readonly dataDir: string;
  readonly browser: Browser;
  readonly builder: Someone;
  readonly consumer: Someone;
  readonly passId: string;
}

const startMs = Date.parse('2026-10-29T12:00:00.000Z');
const days = 23;

export async function openMonthWorld(undo: Undo): Promise<MonthWorld> {
  await buildStandalone();
  const folder = openFolder('console-month', undo, () => life.output());
  const env = {
    OUTGOING_ALLOW: 'loopback',
    OPERATOR_TOKEN: operatorToken,
    SANDBOX_CLOCK_START: new Date(startMs).toISOString(),
  };
  const dataDir = join(folder, 'data');
  const life = startStandalone({ dataDir, env });
  undo(() => life.destroy());
  const { baseUrl } = await life.ready();
  const http = createHttpClient({ baseUrl });
  const [builder, consumer] = [await signUp(baseUrl), await signUp(baseUrl)];
  await publish(builder.client, http);
  const pass = await pay(consumer.client, http);
  await callForDays(consumer.client, pass.key, http);
  return { baseUrl, dataDir, browser: await openChromium(undo), builder, consumer, passId: pass.id };
}

async function signUp(baseUrl: string): Promise<Someone> {
  const email = `${randomUUID()}@example.com`;
  const anybody = new Tollgate({ url: baseUrl });
  const person = anybody.with({ apiKey: (await anybody.auth.register({ email, password })).access_token });
  const { key = '' } = await person.apiKeys.create({ name: 'program' }); // it outlives the days that go by
  return { email, client: anybody.with({ apiKey: key }) };
}

async function publish(builder: Tollgate, http: HttpClient): Promise<void> {
  const { connect_url: connect } = await builder.billing.connect({ return_url: returnUrl });
  await pressPage(http, connect);
  await builder.tools.create({ slug: 'web-search', name: 'Web search', price: { per_call_usd: '0.02' } });
  await builder.tools.create({ slug: 'weather', name: 'Weather', price: { per_call_usd: '0.005' } });
  await builder.tools.create({ slug: 'translate', name: 'Translate', price: { per_call_usd: '0.011' } });
}

async function pay(consumer: Tollgate, http: HttpClient) {
  const { setup_url: setup } = await consumer.billing.setUpPaymentMethod({ return_url: returnUrl });
  await pressPage(http, setup);
  await consumer.spending.setBudget({ amount_usd: 60, window: 'month' });
  await consumer.passes.create({ name: 'night batch', tools: '*', tags: { team: 'data' } });
  return consumer.passes.create({
    name: 'research agent',
    tools: '*',
    cap: { amount_usd: 5, window: 'day' },
    tags: { team: 'research' },
  });
}

/** Records the calls of each day on that day: the clock of the sandbox goes ahead by days. */
async function callForDays(consumer: Tollgate, pass: string, http: HttpClient): Promise<void> {
  const agent = consumer.with({ apiKey: pass });
  for (let day = 0; day < days; day += 1) {
    const weekend = [0, 6].includes(new Date(startMs + day * dayMs).getUTCDay());
    const calls = weekend ? 12 : 60 + ((day * 13) % 30);
    await agent.events.recordBatch(callsOf('web-search', calls));
    await consumer.events.recordBatch([
      ...callsOf('weather', calls / 2),
      ...(day > 15 ? callsOf('translate', day) : []),
    ]);
    await moveTo(http, startMs + (day + 1) * dayMs);
  }
}

function callsOf(tool: string, count: number) {
  return Array.from({ length: Math.floor(count) }, (_, index) => ({
    tool_id: tool,
    success: index % 9 !== 4,
    duration_ms: 80 + index,
  }));
}

async function moveTo(http: HttpClient, ms: number): Promise<void> {
  const now = new Date(ms).toISOString();
  const { status, body } = await http('POST', '/v1/sandbox/clock', { token: operatorToken, body: { now } });
  if (status !== 200) throw new Error(`the clock was not moved: ${status} ${JSON.stringify(body)}`);
  await eventually(
    async () => {
      const { body: clock } = await http('GET', '/v1/sandbox/clock', { token: operatorToken });
      return String(clock['worked_through']) >= now;
    },
    { withinMs: 60_000 },
  );
}
