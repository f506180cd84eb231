import { expect, it } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { moveClockToDay } from '@tollgate/testkit/move-clock-to-day';
import { pressPage } from '@tollgate/testkit/press-button';

import { useStandalone } from './support/use-standalone.ts';

const operator = 'the-operator-of-these-tests-nobody-else';
const mark = 'planted-by-its-owner';
const running = useStandalone({ OUTGOING_ALLOW: 'loopback', OPERATOR_TOKEN: operator });

interface Closure {
  readonly account_id: string;
  readonly waits_for: readonly string[];
  readonly erased_at: string | null;
}

/** A request that must succeed. */
async function ask<Body>(token: string, method: string, path: string, body?: object): Promise<Body> {
  const answer = await running.send<Body>(method, path, { token, ...(body && { body }) });
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body;
}

async function register(name: string): Promise<{ readonly token: string; readonly password: string }> {
  const password = 'correct horse battery';
  const credentials = { email: `${mark}-${name}@example.com`, password };
  const { access_token: token } = await ask<{ access_token: string }>('', 'POST', '/v1/auth/register', credentials);
  return { token, password };
}

/** The columns of a dump in which the mark stands, without the log, which ages out. */
async function columnsWithMark(): Promise<string[]> {
  return withOracleDatabase(ownerUrlOf(running.dataDir), async (database) => {
    const { rows: columns } = await database.query<{ schema: string; table: string; name: string }>(
      `select n.nspname as schema, c.relname as table, a.attname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
         join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
       where c.relkind in ('r', 'p') and not c.relispartition and n.nspname !~ '^(pg_|information)' and c.relname <> 'record_batch'`,
    );
    const found: string[] = [];
    for (const { schema, table, name } of columns) {
      const text = `select from ${schema}.${table} t where t."${name}"::text like $1 or t."${name}"::text like $2 limit 1`;
      const { rowCount } = await database.query(text, [`%${mark}%`, `%${Buffer.from(mark).toString('hex')}%`]);
      if (rowCount !== 0) found.push(`${schema}.${table}.${name}`);
    }
    return found.toSorted();
  });
}

it('F361 a consumer and a builder close their accounts: they are invoiced, charged and paid out, then erased', async () => {
  const [builder, consumer] = [await register('builder'), await register('consumer')];
  const slug = 'dear';
  await ask(builder.token, 'POST', '/v1/tools', { slug, name: mark, description: mark, price: { per_call_usd: '50' } });
  const back = { return_url: `https://example.com/${mark}` };
  const { connect_url: connect } = await ask<{ connect_url: string }>(
    builder.token,
    'POST',
    '/v1/billing/connect',
    back,
  );
  await pressPage(running.send, connect);
  const setup = await ask<{ setup_url: string }>(consumer.token, 'POST', '/v1/billing/payment-method', back);
  await pressPage(running.send, setup.setup_url, { card: 'visa' });
  await eventually(() => ask(consumer.token, 'GET', '/v1/billing/payment-method'), { withinMs: 10_000 });
  await ask(consumer.token, 'PUT', '/v1/billing/details', { name: mark, address: [mark], country: 'DE' });
  await ask(consumer.token, 'POST', '/v1/passes', { name: mark, tools: '*', tags: { team: mark } });
  await ask(consumer.token, 'POST', '/v1/api-keys', { name: mark });
  const url = `http://127.0.0.1:9099/${mark}`;
  await ask(consumer.token, 'POST', '/v1/webhook-endpoints', { url, description: mark });
  const event = { tool_id: slug, idempotency_key: mark, metadata: { prompt: mark } };
  await ask(consumer.token, 'POST', '/v1/events', event);
  await ask(consumer.token, 'POST', '/v1/events', { ...event, metadata: { prompt: `${mark} again` } }).catch(() => undefined); // prettier-ignore

  for (const { token, password } of [consumer, builder]) {
    const closed = await ask<Closure>(token, 'DELETE', '/v1/auth/account', { password });
    expect(closed).toMatchObject({ waits_for: expect.arrayContaining(['month']), erased_at: null });
    expect(await running.send('GET', '/v1/auth/me', { token })).toMatchObject({ status: 401 });
  }
  expect((await columnsWithMark()).length).toBeGreaterThan(10);
  await moveClockToDay(running.send, operator, 3); // everything of the month is counted, and its invoice is charged
  const listed = async () => (await ask<{ erasures: Closure[] }>(operator, 'GET', '/v1/operator/erasures')).erasures;
  const isWaiting = async () => (await listed()).some(({ waits_for: reasons }) => reasons.includes('payout'));
  await eventually(isWaiting, { withinMs: 150_000 });
  await moveClockToDay(running.send, operator, 10); // the payout day
  await eventually(async () => (await listed()).every(({ erased_at: at }) => at !== null), { withinMs: 150_000 });

  expect(await columnsWithMark()).toEqual(['billing.invoice_parties.buyer', 'billing.invoice_tool.name']);
  const books = await withOracleDatabase(ownerUrlOf(running.dataDir), async (database) => {
    const text = `select (select string_agg(status || total_cents, ' ') from billing.invoice where total_cents > 0) as invoices,
      (select string_agg(status, ' ') from billing.payout) as payouts`;
    return (await database.query<object>(text)).rows[0];
  });
  expect(books).toEqual({ invoices: 'paid5000', payouts: 'paid' });
}, 400_000);
