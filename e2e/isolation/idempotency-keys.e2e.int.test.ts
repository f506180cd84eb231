import { randomUUID } from 'node:crypto';
import { describe, expect } from '@jest/globals';
import { takesKeyHeader, type Route } from '@tollgate/contracts/routes/route';
import { isServedWith, routes } from '@tollgate/contracts/routes/routes';
import { itWith } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { sampleOf } from './samples.ts';
import { createOwner, type Owner } from './owner.ts';

const operatorToken = 'only-the-operator-of-this-test-knows-it';
const posts = routes.filter((route) => route.method === 'POST' && isServedWith('sandbox')(route));
const keyed = posts.filter(takesKeyHeader);
const refusing = posts.flatMap((route) => {
  const { idempotencyKey: use } = route;
  return typeof use === 'object' ? [{ route, reason: use.refused }] : [];
});

/** The samples of the matrix name what exists already. These make something. */
const newBodies: Readonly<Record<string, (owner: Owner) => object>> = {
  createTool: ({ slug }) => ({ slug: `${slug}-new`, name: 'new', price: { per_call_usd: '0.01' } }),
  recordEvent: ({ slug }) => ({ tool_id: slug }),
};

interface Answer {
  readonly id?: string;
  readonly event_id?: string;
  readonly code?: string;
  readonly detail?: string;
}

/** The table of routes says what each POST does with the header, and a new POST must say it: it would not compile. */
describe('Idempotency-Key', () => {
  const it = itWith(async (undo) => {
    const env = { OPERATOR_TOKEN: operatorToken };
    const { client } = await openProduct({ name: 'idempotency-keys', env }, undo);
    const post = async (route: Route, owner: Owner, key: string) => {
      const { path, body } = sampleOf(route);
      const made = (newBodies[route.operationId] ?? body)?.(owner);
      return client<Answer>('POST', path(owner), {
        headers: { 'idempotency-key': key },
        token: route.access === 'operator' ? operatorToken : owner.token,
        ...(made && { body: made }),
      });
    };
    return { client, post };
  });

  for (const { route, reason } of refusing) {
    it(`F276 refuses the key at ${route.operationId}, which keeps no answer, and says why`, async ({
      client,
      post,
    }) => {
      const { status, body } = await post(route, await createOwner(client), randomUUID());
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'invalid_request' });
      expect(body.detail).toContain(reason);
    });
  }

  for (const route of keyed) {
    it(`F276 has one effect and no 500 when ten send a new key to ${route.operationId} at once`, async (opened) => {
      const owner = await createOwner(opened.client);
      const key = randomUUID();
      const send = () => opened.post(route, owner, key);
      const answers = await Promise.all(Array.from({ length: 10 }, send));
      const settled = answers.filter(({ body }) => body.code !== 'idempotency_in_progress');
      expect(settled.length).toBeGreaterThan(0);
      const outcomeOf = ({ status, body }: (typeof answers)[number]) =>
        `${status} ${body.id ?? body.event_id ?? ''} ${body.code ?? ''}`;
      expect(settled.filter(({ status }) => status >= 500).map(({ text }) => text)).toEqual([]);
      const again = await send();
      expect(new Set([...settled, again].map(outcomeOf)).size).toBe(1);
    });
  }

  it('F276 has the key of a pass again for the credential that made it, and for no other', async ({ client, post }) => {
    const owner = await createOwner(client);
    const route = routes.find(({ operationId }) => operationId === 'createPass') as Route; // the table has it
    const before = await client<{ total: number }>('GET', '/v1/passes', { token: owner.token });
    const [first, second] = [await post(route, owner, 'pass-1'), await post(route, owner, 'pass-1')];
    expect(first.body).toMatchObject({ key: expect.stringMatching(/^tg_pass_/) });
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    const other = await post(route, { ...owner, token: owner.key }, 'pass-1');
    expect({ status: other.status, code: other.body.code }).toEqual({ status: 422, code: 'idempotency_key_reused' });
    const after = await client<{ total: number }>('GET', '/v1/passes', { token: owner.token });
    expect(after.body.total).toBe(before.body.total + 1);
  });
});
