import type { HttpAnswer, HttpClient } from '@tollgate/testkit/http-client';
import type { Cast } from '../register-cast.ts';

export interface Callers {
  answered(): number;
  /** How often every request below was sent. */
  rounds(): number;
  /** Answers of 400 and above, and requests without an answer. */
  refusals(): readonly string[];
  stop(): Promise<void>;
}

/** Sends each kind of request to each service that takes no events, one after the other, until it is stopped. */
export function startCallers(client: HttpClient, { builderToken, consumers }: Cast): Callers {
  const [{ credentials }] = consumers;
  const [token] = credentials;
  const refusals: string[] = [];
  let isRunning = true;
  let answered = 0;
  let rounds = 0;

  async function call(
    method: string,
    path: string,
    given: { token: string; body?: object },
  ): Promise<HttpAnswer<Named>> {
    const answer = await client<Named>(method, path, given);
    answered += 1;
    if (answer.status >= 400) refusals.push(`${method} ${path}: ${answer.text}`);
    return answer;
  }

  async function ask(): Promise<void> {
    for (const path of ['/v1/auth/me', '/v1/api-keys', '/v1/usage?group_by=tool_id,success', '/v1/events?limit=20'])
      await call('GET', path, { token });
    for (const path of ['/v1/billing/account', '/v1/billing/invoices', '/v1/billing/invoices/upcoming'])
      await call('GET', path, { token });
    for (const path of ['/v1/tools', '/v1/usage?role=builder', '/v1/billing/payouts', '/v1/billing/statements'])
      await call('GET', path, { token: builderToken });
  }

  async function change(): Promise<void> {
    const created = await call('POST', '/v1/api-keys', { token, body: { name: 'created meanwhile' } });
    await call('DELETE', `/v1/api-keys/${created.body.id}`, { token });
    const slug = `created-meanwhile-${rounds}`;
    const price = { per_call_usd: '0.001' };
    await call('POST', '/v1/tools', { token: builderToken, body: { slug, name: slug, price } });
    await call('PATCH', `/v1/tools/${slug}`, { token: builderToken, body: { name: 'Renamed' } });
    await call('POST', `/v1/tools/${slug}/archive`, { token: builderToken });
  }

  async function run(): Promise<void> {
    for (; isRunning; rounds += 1) {
      await ask().catch(note);
      await change().catch(note);
    }
  }

  function note(error: unknown): void {
    refusals.push(String(error)); // no answer at all
  }

  const running = run();
  return {
    answered: () => answered,
    rounds: () => rounds,
    refusals: () => refusals,
    async stop() {
      isRunning = false;
      await running;
    },
  };
}

interface Named {
  readonly id: string;
}
