import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Database } from '@tollgate/database/database';
import { eventually } from '@tollgate/testkit/eventually';
import type { HttpAnswer } from '@tollgate/testkit/http-client';
import { seededRandom, type SeededRandom } from '@tollgate/testkit/seeded-random';
import { authSuite, type KeyBody } from '../support/auth-under-test.ts';

const rounds = 40;
const auth = authSuite();
let killer: Database;
let random: SeededRandom;

beforeAll(() => {
  random = seededRandom('crash around commit');
  killer = auth.connectAs('auth_api');
});

/** Cuts every connection of the service's role at a random moment of the request: before, in and after its commit. */
async function struck<Body>(request: Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  await sleep(random.integer(0, 7));
  await killer.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
  );
  return request;
}

async function retried<Body>(send: () => Promise<HttpAnswer<Body>>): Promise<HttpAnswer<Body>> {
  const settled = async () => {
    const answer = await send();
    return answer.status < 500 && answer.status !== 409 ? answer : undefined;
  };
  return eventually(settled, { withinMs: 5_000 }) as Promise<HttpAnswer<Body>>; // eventually leaves out undefined
}

describe('F66 a crash around the commit', () => {
  it('of a token rotation leaves old or new valid, never neither or both', async () => {
    let { token } = await auth.signUp();
    let cut = 0;
    for (let round = 0; round < rounds; round += 1) {
      const first = await struck(auth.refresh(token));
      if (first.status !== 200) cut += 1;
      expect([200, 503]).toContain(first.status);
      const second = await retried(() => auth.refresh(token));
      expect(second.status).toBe(200);
      expect(second.body.access_token).toBe((first.status === 200 ? first : second).body.access_token);
      token = second.body.access_token;
    }
    expect(cut).toBeGreaterThan(0);
    expect(await auth.refresh(token)).toMatchObject({ status: 200 });
  });

  it('of a key creation leaves key and reply, or neither', async () => {
    const { token } = await auth.signUp();
    const ids = new Set<string>();
    for (let round = 0; round < rounds; round += 1) {
      const headers = { 'idempotency-key': `round ${round}` };
      const create = () =>
        auth.send<Partial<KeyBody>>('POST', '/v1/api-keys', { token, headers, body: { name: `k${round}` } });
      const first = await struck(create());
      const second = await retried(create);
      expect(second.status).toBe(201);
      const id = second.body.id ?? '';
      expect(id).toBe((first.status === 201 ? first : second).body.id);
      const isReplay = second.headers.get('idempotent-replayed') === 'true';
      expect(second.body.key === undefined).toBe(isReplay);
      const list = await retried(() => auth.send<{ total: number }>('GET', '/v1/api-keys', { token }));
      expect(list.body.total).toBe(1);
      ids.add(id);
      const removed = await retried(() => auth.send('DELETE', `/v1/api-keys/${id}`, { token }));
      expect(removed.status).toBe(204);
    }
    expect(ids.size).toBe(rounds);
  });
});
