import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Route } from '@tollgate/contracts/routes/route';
import { createDatabase, type Database } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';
import { createJudgeTry } from '../../src/auth/operator-tries.ts';
import type { Principal } from '../../src/http/requests/principal.ts';
import { noTrustedProxies } from '../../src/http/requests/client-address.ts';
import { setContext } from '../../src/http/requests/request-context.ts';
import { createLogger } from '../../src/logging/create-logger.ts';

const log = createLogger({ name: 'test', level: 'silent' });
const roles = ['auth_worker', 'billing_worker', 'ingest_gateway_worker'];
const operator: Principal = { kind: 'operator', name: 'default' };

let server: TestDatabase;
let owner: Database;
beforeAll(async () => {
  server = await testDatabase();
  owner = createDatabase({ url: server.ownerUrl, name: 'owner', log });
});
afterAll(async () => {
  await owner.stop();
  await server.drop();
});

function requestFrom(remoteAddress: string): IncomingMessage {
  const shape = { operationId: 'x', method: 'GET', path: '/x', service: 'billing', summary: '', tag: 'Tools' } as const;
  const route: Route = { ...shape, access: 'operator', responses: {}, errors: [] };
  const request = { headers: { authorization: 'Bearer x' }, socket: { remoteAddress } } as IncomingMessage; // no more is read
  const parts = {
    path: '/x',
    log,
    trustedProxies: noTrustedProxies,
    limits: undefined,
    params: {},
    principal: undefined,
  };
  setContext(request, { ...parts, requestId: 'r', route });
  return request;
}

const wrong = (): never => {
  throw new AppError('unauthorized', 'No.');
};

/** As each service has it, by a clock that only the test moves. */
function open(role: string) {
  const db = createDatabase({ url: server.urlFor(role), name: role, log });
  const time = { nowMs: 0 };
  const clock = { monotonicMs: () => time.nowMs };
  const judgeTry = createJudgeTry({ db, clock, log, wrongPerMinute: 3, isCandidate: () => false });
  const answer = async (judge: () => Principal | Promise<Principal>, address = '192.0.2.1') => {
    try {
      return (await judgeTry(requestFrom(address), judge)).kind;
    } catch (error) {
      return error instanceof AppError ? `${error.code} ${error.retryAfterSeconds ?? ''}`.trim() : String(error);
    }
  };
  return { db, time, answer };
}

describe.each(roles)('F152 wrong operator tokens, with %s', (role) => {
  it('make their address wait to the end of a sliding minute, and leave rows', async () => {
    const { db, time, answer } = open(role);
    await owner.query('alter table audit.act disable trigger append_only');
    await owner.query('truncate audit.act');
    await owner.query('alter table audit.act enable trigger append_only');
    expect(await answer(wrong)).toBe('unauthorized');
    time.nowMs = 20_000;
    expect([await answer(wrong), await answer(wrong)]).toEqual(['unauthorized', 'unauthorized']);
    expect(await answer(() => operator)).toBe('rate_limit_exceeded 40');
    expect(await answer(() => operator, '192.0.2.2')).toBe('operator');
    time.nowMs = 59_999;
    expect(await answer(() => operator)).toBe('rate_limit_exceeded 1');
    time.nowMs = 60_000;
    expect([await answer(() => operator), await answer(() => operator)]).toEqual(['operator', 'operator']);
    expect(await answer(wrong)).toBe('unauthorized');
    expect(await answer(() => operator)).toBe('rate_limit_exceeded 20');
    expect(await owner.query('select from audit.act')).toHaveLength(4);
    await db.stop();
  });

  it('take their place while they are judged, and give it back if they were right or nobody could tell', async () => {
    const { db, answer } = open(role);
    const gate = Promise.withResolvers<Principal>();
    const waiting = [1, 2, 3].map(() => answer(() => gate.promise));
    expect(await answer(() => operator)).toBe('rate_limit_exceeded 60');
    gate.resolve(operator);
    expect(await Promise.all(waiting)).toEqual(['operator', 'operator', 'operator']);
    const away = () => Promise.reject(new AppError('unavailable', 'No.'));
    for (let index = 0; index < 5; index += 1) expect(await answer(away)).toBe('unavailable');
    expect(await answer(() => operator)).toBe('operator');
    await db.stop();
  });

  it('are 401 also while no row can be written', async () => {
    const { db, answer } = open(role);
    await db.stop();
    expect(await answer(wrong)).toBe('unauthorized');
  });
});

it('the gateway may write no other row of the trail', async () => {
  const db = createDatabase({ url: server.urlFor('ingest_gateway_worker'), name: 'gateway', log });
  const insert = `insert into audit.act (action, result, actor, object_kind) values ('clock.moved', 'done', 'operator', 'clock')`;
  await expect(db.query(insert)).rejects.toThrow('row-level security');
  await db.stop();
});
