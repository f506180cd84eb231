import { environmentVariable } from '../environment.ts';
import { apiKeysOf } from './api-keys.ts';
import { authOf } from './auth.ts';
import { billingOf } from './billing.ts';
import { consentsOf } from './consents.ts';
import { embedsOf } from './embeds.ts';
import { eventsOf } from './events.ts';
import { invoicesOf } from './invoices.ts';
import { approvalsOf } from './approvals.ts';
import { notificationPreferencesOf } from './notification-preferences.ts';
import { passesOf } from './passes.ts';
import { payoutsOf } from './payouts.ts';
import type { Connection } from './attempt.ts';
import { createCall, type Call } from './request.ts';
import { secondFactorOf } from './second-factor.ts';
import { serviceOf } from './service.ts';
import { spendingOf } from './spending.ts';
import { toolsOf } from './tools.ts';
import { usageOf } from './usage.ts';
import { webhookEndpointsOf, webhookEventsOf } from './webhook-endpoints.ts';
import { webhooks } from '../webhooks/webhooks.ts';

export interface TollgateOptions {
  /** Default: `TOLLGATE_API_KEY`. An access token works too. */
  readonly apiKey?: string | undefined;
  /** The base URL of the service. Default: `TOLLGATE_URL`, else `http://127.0.0.1:8080`, where `npx tollgate start` is. */
  readonly url?: string | undefined;
  /** The most that one try takes. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
  /** The most repeats of a request that failed and may be repeated. Default: 3. */
  readonly retries?: number | undefined;
  /** Default: that of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

const calls = new WeakMap<Tollgate, Call>();
const tokens = new WeakMap<Tollgate, string>();

/** How a client sends requests, for the meters of this package. */
export function callOf(tollgate: Tollgate): Call {
  const call = calls.get(tollgate);
  if (call === undefined) throw new TypeError('`tollgate` must be a client that `new Tollgate()` made');
  return call;
}

/** The API key or access token of a client. No object shows it. */
export function tokenOf(tollgate: Tollgate): string | undefined {
  return tokens.get(tollgate);
}

const localUrl = 'http://127.0.0.1:8080';

/** The API of Tollgate: one method per route. It keeps no connection of its own and needs no closing. */
export class Tollgate {
  readonly #connection: Connection;
  readonly auth: ReturnType<typeof authOf>;
  readonly secondFactor: ReturnType<typeof secondFactorOf>;
  readonly apiKeys: ReturnType<typeof apiKeysOf>;
  readonly passes: ReturnType<typeof passesOf>;
  readonly approvals: ReturnType<typeof approvalsOf>;
  readonly tools: ReturnType<typeof toolsOf>;
  readonly events: ReturnType<typeof eventsOf>;
  readonly usage: ReturnType<typeof usageOf>;
  readonly spending: ReturnType<typeof spendingOf>;
  readonly billing: ReturnType<typeof billingOf>;
  readonly invoices: ReturnType<typeof invoicesOf>;
  readonly payouts: ReturnType<typeof payoutsOf>;
  readonly webhookEndpoints: ReturnType<typeof webhookEndpointsOf>;
  readonly webhookEvents: ReturnType<typeof webhookEventsOf>;
  readonly notificationPreferences: ReturnType<typeof notificationPreferencesOf>;
  readonly consents: ReturnType<typeof consentsOf>;
  readonly embeds: ReturnType<typeof embedsOf>;
  readonly service: ReturnType<typeof serviceOf>;
  readonly webhooks = webhooks;

  constructor(options: TollgateOptions = {}) {
    this.#connection = toConnection(options);
    const call: Call = createCall(this.#connection);
    calls.set(this, call);
    if (this.#connection.token !== undefined) tokens.set(this, this.#connection.token);
    this.auth = authOf(call);
    this.secondFactor = secondFactorOf(call);
    this.apiKeys = apiKeysOf(call);
    this.passes = passesOf(call);
    this.approvals = approvalsOf(call);
    this.tools = toolsOf(call);
    this.events = eventsOf(call);
    this.usage = usageOf(call);
    this.spending = spendingOf(call);
    this.billing = billingOf(call);
    this.invoices = invoicesOf(call);
    this.payouts = payoutsOf(call);
    this.webhookEndpoints = webhookEndpointsOf(call);
    this.webhookEvents = webhookEventsOf(call);
    this.notificationPreferences = notificationPreferencesOf(call);
    this.consents = consentsOf(call);
    this.embeds = embedsOf(call);
    this.service = serviceOf(call);
  }

  /** The base URL of the service. */
  get url(): string {
    return this.#connection.url;
  }

  /** The same client with another API key or access token, such as that of `auth.login`. */
  with({ apiKey }: { readonly apiKey: string }): Tollgate {
    const { url, timeoutMs, retries, fetch } = this.#connection;
    return new Tollgate({ apiKey, url, timeoutMs, retries, fetch });
  }
}

function toConnection(options: TollgateOptions): Connection {
  const { timeoutMs = 15_000, retries = 3 } = options;
  const url = (options.url ?? environmentVariable('TOLLGATE_URL') ?? localUrl).replace(/\/+$/, '');
  if (!/^https?:\/\/[^/]/.test(url))
    throw new TypeError(`\`url\` (or TOLLGATE_URL) must begin with http:// or https://`);
  return {
    url,
    token: options.apiKey ?? environmentVariable('TOLLGATE_API_KEY'),
    timeoutMs,
    retries,
    fetch: options.fetch ?? globalThis.fetch,
  };
}
