import type { HttpAnswer, HttpClient } from '@tollgate/testkit/http-client';
import type { Cast } from '../register-cast.ts';

export interface Callers {
  answered(): number;
  /** How often all of the requests below were made. */
  rounds(): number;
  /** Answers that they should not have got. */
  refusals(): readonly string[];
  stop(): Promise<void>;
}

/** People at work while programs report: one after the other, each kind of request to each service that takes no events. */
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
    const made = await call('POST', '/v1/api-keys', { token, body: { name: 'made meanwhile' } });
    await call('DELETE', `/v1/api-keys/${made.body.id}`, { token });
    const slug = `made-meanwhile-${rounds}`;
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
