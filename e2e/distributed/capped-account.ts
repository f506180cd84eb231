import { setTimeout as sleep } from 'node:timers/promises';
import type { Usage } from '@tollgate/contracts/money/usage';
import { createHttpClient, type HttpAnswer, type HttpClient } from '@tollgate/testkit/http-client';
import type { ServiceProcess } from '@tollgate/testkit/service-process';
import { registerAccount } from '../register-cast.ts';

/**
 * A consumer with a budget. Each request goes to the gateway that it names. Those that change something are sent once, and
 * reject if the gateway dies.
 */
export interface CappedAccount {
  readonly accountId: string;
  readonly resetsAt: string;
  ask(at: Gateway, asked: Asked): Promise<HttpAnswer<Authorization>>;
  show(at: Gateway, id: string): Promise<HttpAnswer<Authorization>>;
  /** Captures a call; in a book, the one with this index. */
  capture(at: Gateway, id: string, callIndex?: number): Promise<HttpAnswer<{ readonly event_id: string }>>;
  /** As one batch. */
  captureAll(at: Gateway, ids: readonly string[]): Promise<HttpAnswer<Captured>>;
  release(at: Gateway, id: string): Promise<HttpAnswer<unknown>>;
  budget(at: Gateway): Promise<Budget>;
  /** The totals by the rating of counted calls. */
  totals(): Promise<Usage['totals']>;
}

export type Gateway = Pick<ServiceProcess, 'url'>;

interface Asked {
  readonly key: string;
  /** How many calls; one if not given. */
  readonly count?: number;
  /** Which of its API keys; the first if not given. */
  readonly by?: number;
}

interface Authorization {
  readonly id: string;
  readonly state: string;
  readonly captured_count: number;
  readonly charged_usd: number | null;
}

interface Captured {
  readonly results: readonly { readonly status: string; readonly event_id?: string }[];
}

interface Budget {
  readonly amount_usd: number;
  readonly spent_usd: number;
  readonly held_usd: number;
  readonly remaining_usd: number;
  readonly resets_at: string;
}

interface CappedOptions {
  /** Its way to auth and billing. */
  readonly client: HttpClient;
  /** Takes the budget, and knows it at once. */
  readonly gateway: Gateway;
  readonly name: string;
  readonly toolId: string;
  readonly amountUsd: number;
  readonly keys: number;
}

/** No test lasts as long. */
const ttlSeconds = 3_600;

export async function registerCapped(options: CappedOptions): Promise<CappedAccount> {
  const { client, gateway, name, toolId, amountUsd } = options;
  const token = await registerAccount(client, name);
  const me = await client<{ account_id: string }>('GET', '/v1/auth/me', { token });
  const keys: string[] = [];
  for (let key = 0; key < options.keys; key += 1) {
    const created = await client<{ key: string }>('POST', '/v1/api-keys', { token, body: { name: `key ${key}` } });
    keys.push(created.body.key);
  }
  const body = { amount_usd: amountUsd, window: 'month' };
  const budget = await clientOf(gateway)<Budget>('PUT', '/v1/billing/budget', { token, body });
  if (budget.status !== 200) throw new Error(`the budget of ${name}: ${budget.text}`);
  const eventOf = (authorization_id: string, call_index?: number) => ({
    tool_id: toolId,
    authorization_id,
    call_index,
  });
  const pathOf = (id: string) => `/v1/authorizations/${id}`;

  return {
    accountId: me.body.account_id,
    resetsAt: budget.body.resets_at,
    ask: (at, { key: idempotency_key, count = 1, by = 0 }) =>
      clientOf(at)('POST', '/v1/authorizations', {
        token: keys[by] ?? token,
        body: { tool_id: toolId, count, ttl_seconds: ttlSeconds, idempotency_key },
      }),
    show: (at, id) => untilDecided(() => clientOf(at)('GET', pathOf(id), { token })),
    capture: (at, id, callIndex) => clientOf(at)('POST', '/v1/events', { token, body: eventOf(id, callIndex) }),
    captureAll: (at, ids) =>
      clientOf(at)('POST', '/v1/events/batch', { token, body: { events: ids.map((id) => eventOf(id)) } }),
    release: (at, id) => clientOf(at)('DELETE', pathOf(id), { token }),
    budget: async (at) => (await untilDecided(() => clientOf(at)<Budget>('GET', '/v1/billing/budget', { token }))).body,
    totals: async () => (await untilDecided(() => client<Usage>('GET', '/v1/usage', { token }))).body.totals,
  };
}

function clientOf({ url }: Gateway): HttpClient {
  return createHttpClient({ baseUrl: url });
}

/** Asks again, as clients do, after a 429 or 503 and where the connection broke. Only for what may be repeated. */
export async function untilDecided<Body>(send: () => Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  for (;;) {
    const answer = await send().catch(() => undefined);
    if (answer !== undefined && answer.status !== 429 && answer.status !== 503) return answer;
    await sleep(Number(answer?.headers.get('retry-after') ?? 1) * 1_000);
  }
}
