import { randomUUID } from 'node:crypto';

import { eventually } from '@tollgate/testkit/eventually';
import type { HttpClient } from '@tollgate/testkit/http-client';

/** An account with one of everything, and secret words that no other account may ever read. */
export interface Owner {
  readonly accountId: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  /** A session of its own that is not the token's. */
  readonly sessionId: string;
  readonly key: string;
  readonly keyId: string;
  readonly passId: string;
  readonly passKey: string;
  /** In the public catalogue. */
  readonly slug: string;
  readonly eventId: string;
  readonly authorizationId: string;
  readonly idempotencyKey: string;
  /** Cursors into its own lists. */
  readonly cursors: Readonly<Record<'keys' | 'passes' | 'tools' | 'prices' | 'events' | 'acts', string>>;
  /** The secret word in its e-mail, password, key names, metadata and idempotency keys. */
  readonly canary: string;
}

/** Registers an account. Its events call `toolId`, another builder's tool, or its own tool. */
export async function createOwner(client: HttpClient, toolId?: string): Promise<Owner> {
  const canary = `canary-${randomUUID()}`;
  const email = `${canary}@example.com`;
  const password = `${canary} battery staple`;
  const { access_token: token } = await made<{ access_token: string }>(
    client('POST', '/v1/auth/register', { body: { email, password } }),
  );
  const post = <Body>(path: string, body: object) => made<Body>(client('POST', path, { token, body }));
  const { account_id: accountId } = await made<{ account_id: string }>(client('GET', '/v1/auth/me', { token }));
  await made(client('POST', '/v1/auth/login', { body: { email, password } }));
  const { sessions } = await made<{ sessions: { id: string; current: boolean }[] }>(
    client('GET', '/v1/auth/sessions', { token }),
  );
  const sessionId = sessions.find(({ current }) => !current)?.id ?? '';
  await post('/v1/api-keys', { name: `${canary} 1` });
  const { id: keyId, key } = await post<{ id: string; key: string }>('/v1/api-keys', { name: `${canary} 2` });
  await post('/v1/passes', { name: `${canary} 1`, tools: '*' });
  const pass = await post<{ id: string; key: string }>('/v1/passes', { name: `${canary} 2`, tools: '*' });
  const [passId, passKey] = [pass.id, pass.key];
  const slug = `tool-${randomUUID()}`;
  for (const each of [slug, `${slug}-2`])
    await post('/v1/tools', { slug: each, name: each, price: { per_call_usd: '0.01' } });
  const idempotencyKey = `${canary}-key`;
  const event = { tool_id: toolId ?? slug, metadata: { note: canary } };
  const events = [idempotencyKey, `${idempotencyKey}-2`].map((each) => ({ ...event, idempotency_key: each }));
  const recorded = await post<{ results: { event_id: string }[] }>('/v1/events/batch', { events });
  const eventId = recorded.results[0]?.event_id ?? '';
  await eventually(async () => (await client('GET', `/v1/events/${eventId}`, { token })).status === 200, {
    withinMs: 5_000,
  });
  const { id: authorizationId } = await post<{ id: string }>('/v1/authorizations', {
    tool_id: toolId ?? slug,
    reference: 'a-job',
  });
  const secondPrice = { price: { per_call_usd: '0.02' }, effective_from: '2031-01-01T00:00:00Z' };
  await post(`/v1/tools/${slug}/prices`, secondPrice);
  const cursorOf = async (path: string) =>
    (await made<{ next_cursor: string }>(client('GET', `${path}?limit=1`, { token }))).next_cursor;
  const cursors = {
    keys: await cursorOf('/v1/api-keys'),
    passes: await cursorOf('/v1/passes'),
    tools: await cursorOf('/v1/tools'),
    prices: await cursorOf(`/v1/tools/${slug}/prices`),
    events: await cursorOf('/v1/events'),
    acts: await cursorOf('/v1/auth/activity'),
  };
  const credentials = { email, password, token, sessionId, key, keyId, passId, passKey };
  return { accountId, ...credentials, slug, eventId, authorizationId, idempotencyKey, cursors, canary };
}

async function made<Body>(answer: Promise<{ status: number; text: string; body: unknown }>): Promise<Body> {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status}: ${text}`);
  return body as Body; // the answer check has compared it with the description
}
