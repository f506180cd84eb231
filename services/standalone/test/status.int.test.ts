import { rmSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from '@jest/globals';
import type { OperatorOverview } from '@tollgate/contracts/operator/overview';
import { createDatabase } from '@tollgate/database/database';
import { findRunningPostgres } from '@tollgate/database/embedded/find-running-postgres';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { readyAt, standaloneMain } from '@tollgate/testkit/standalone-process';

import { onChangedDatabase, runTollgate } from './support/run-tollgate.ts';
import { makeFolder, useStandalone } from './support/use-standalone.ts';

const operator = 'operator-token-of-the-status-tests';
const running = useStandalone({ OPERATOR_TOKEN: operator, SANDBOX_CLOCK_START: '2026-10-20T12:00:00Z' });

function tollgate(line: string) {
  return runTollgate(line, { env: { DATA_DIR: running.dataDir }, folder: running.folder });
}

function ask(path: string) {
  return running.send('GET', path, { token: operator });
}

async function register(email: string): Promise<{ token: string; id: string }> {
  const { body } = await running.send('POST', '/v1/auth/register', { body: { email, password: 'a long password' } });
  const token = String(body['access_token']);
  return { token, id: String((await running.send('GET', '/v1/auth/me', { token })).body['account_id']) };
}

async function onRunningDatabase(statement: string, values: unknown[]): Promise<void> {
  const url = findRunningPostgres(running.dataDir)?.ownerUrl ?? '';
  const owner = createDatabase({ url, name: 'test-owner', log: createLogger({ name: 'test', level: 'silent' }) });
  await owner.query(statement, values);
  await owner.stop();
}

describe('the lists and the status of the operator', () => {
  it('list what the routes list, with the same filters, as a table, JSON and CSV', async () => {
    const builder = await register('builder@example.com');
    const consumer = await register('consumer@example.com');
    const tool = { slug: 'search', name: 'Search', price: { per_call_usd: '2.50' } };
    await running.send('POST', '/v1/tools', { token: builder.token, body: tool });
    await running.send('POST', '/v1/events', { token: consumer.token, body: { tool_id: 'search' } });
    await running.send('POST', '/v1/sandbox/clock', { token: operator, body: { now: '2026-11-03T12:00:00Z' } });
    const route = '/v1/operator/invoices';
    await eventually(async () => (await ask(route)).body['total'] === 1, { withinMs: 10_000 });
    await onRunningDatabase(
      `insert into billing.payout (payout_id, builder_id, period, status, net_cents, fee_cents, earning_left_micros,
         fee_left_micros, failures, failing_since, created_at)
       values (gen_random_uuid(), $1, '2026-09', 'failed', 500, 0, 0, 0, 3, '2026-10-21T12:00:00Z', '2026-10-20T12:00:00Z')`,
      [builder.id],
    );

    const { invoices, total } = (await ask(route)).body;
    const listed = await tollgate('invoices --json --period 2026-10 --status open --account consumer@example.com');
    expect(listed).toMatchObject({ code: 0, err: '' });
    expect(JSON.parse(listed.out)).toEqual({ invoices, total });
    const table = await tollgate(`invoices --account ${consumer.id}`);
    expect(table.out).toMatch(/^number  period   status  total_usd .*\n +1  2026-10  open +2\.5 /);
    for (const none of ['--status paid', '--period 2026-09', '--held', `--account ${builder.id}`])
      expect((await tollgate(`invoices ${none}`)).out).toBe('There are no such invoices.\n');

    const { payouts } = (await ask('/v1/operator/payouts?period=2026-09')).body;
    expect(payouts).toHaveLength(1);
    expect((await ask('/v1/operator/payouts?period=2026-10')).body).toMatchObject({ payouts: [], total: 0 });
    const failed = await tollgate(`payouts --json --status failed --period 2026-09 --account ${builder.id}`);
    expect(JSON.parse(failed.out)).toEqual({ payouts, total: 1 });
    const csv = await running.send('GET', '/v1/operator/payouts?format=csv', { token: operator });
    expect((await tollgate('payouts --csv')).out.trim()).toBe(csv.text.trim());
    expect((await tollgate('payouts --period 2026-10')).out).toBe('There are no such payouts.\n');
  });

  it('list accounts by status and e-mail, and say that there are more than they show', async () => {
    await register('active@example.com');
    const { id } = await register('suspended@example.com');
    const path = `/v1/operator/accounts/${id}/suspend`;
    await running.send('POST', path, { token: operator, body: { reason: 'a stolen card' } });
    expect((await ask('/v1/operator/accounts?status=suspended')).body).toMatchObject({
      accounts: [{ account_id: id }],
      total: 1,
    });
    const suspended = await tollgate('accounts --status suspended');
    expect(suspended.out).toMatch(/suspended@example\.com +\S+ +\S+ +a stolen card\n$/);
    expect((await tollgate('accounts --status active')).out).not.toContain('suspended@example.com');
    expect(JSON.parse((await tollgate('accounts --json --email Suspended@example.com')).out)).toMatchObject({
      accounts: [{ email: 'suspended@example.com', suspension_reason: 'a stolen card' }],
      total: 1,
    });
    const first = await tollgate('accounts --limit 1 --csv');
    const all = (await ask('/v1/operator/accounts')).body['total'];
    expect(first.out.trim().split('\r\n')).toHaveLength(2);
    expect(first.err).toBe(`tollgate: 1 of ${Number(all)} accounts; --limit shows more\n`);
  });

  it('show how far counting has been behind, from the first reading on', async () => {
    const readings = async () => {
      const { counting } = (await ask('/v1/operator/overview')).body as unknown as OperatorOverview;
      return counting.last_hour;
    };
    // It is read every 15 s, and there is nothing to read before something is counted.
    await eventually(async () => (await readings()).length > 0, { withinMs: 20_000, everyMs: 250 });
    expect((await readings()).every(({ lag_seconds: lag }) => lag >= 0)).toBe(true);
  });

  it('show that Tollgate runs and is ready, and end with 1 once something needs the operator', async () => {
    const quiet = await tollgate('status');
    expect(quiet).toMatchObject({ code: 0, err: '' });
    expect(quiet.out).toMatch(new RegExp(`^Tollgate 0\\.\\d+\\.\\d+ at ${running.baseUrl}: ready\\.\\n`));
    expect(quiet.out).toMatch(
      /\nThe sandbox clock was moved: it is 2026-11-03T12:\S+Z there, \d+ days (ahead of|behind) this machine's\.\n/,
    );
    expect(quiet.out).toMatch(/ {2}period due, not closed +none\n[^]*\nNothing needs you\.\n$/);
    await onRunningDatabase(
      `insert into usage.dead_letter (topic, partition, log_offset, code, reason, stored_at, record)
       values ('t', 0, 1, 'unreadable', 'no', now(), ''), ('t', 0, 2, 'idempotency_conflict', 'no', now(), '')`,
      [],
    );
    const needed = await tollgate('status --json');
    expect(needed).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(needed.out)).toMatchObject({
      running: true,
      base_url: running.baseUrl,
      readiness: 'ready',
      now: expect.stringMatching(/^2026-11-03T12:/),
      clock_moved: true,
      dead_letters: 1,
      needs_operator: [{ what: 'Records of the log are not counted.' }],
    });
  });

  it('shows each figure of a server, where only --url can tell whether it is ready', async () => {
    const later = `now() - interval '8 days'`;
    const party = `'sandbox', gen_random_uuid()::text`;
    const status = await onChangedDatabase(
      [
        'alter table billing.ledger_account disable trigger user',
        `insert into billing.ledger_account (kind, owner_id, balance_micros)
         values ('builder_payable', '00000000-0000-4000-8000-000000000001', -5000000)`,
        `insert into billing.payout (payout_id, builder_id, period, status, net_cents, fee_cents, earning_left_micros,
           fee_left_micros, failures, failing_since, created_at)
         values (gen_random_uuid(), '00000000-0000-4000-8000-000000000001', '2026-09', 'failed', 500, 0, 0, 0, 3, ${later}, ${later})`,
        `insert into billing.dispute (dispute_id, processor, processor_dispute_id, invoice_id, amount_cents, status, opened_at)
         values (gen_random_uuid(), ${party}, gen_random_uuid(), 1, 'open', ${later})`,
        `insert into billing.processor_attempt (attempt_id, kind, subject_id, number, idempotency_key, amount_cents,
           party_id, status, started_at, processor, object_id)
         values (gen_random_uuid(), 'charge', gen_random_uuid(), 1, 'k', 1, 'p', 'unknown', ${later}, ${party})`,
        `insert into billing.unclosed_consumer (consumer_id, period, reason, set_aside_at, retry_at)
         values (gen_random_uuid(), '2026-09', 'x', ${later}, now())`,
        `insert into billing.usage_alert (consumer_id, tool_id, day, calls, usual_calls, raised_at)
         values (gen_random_uuid(), 't', '2026-11-01', 2, 1, now()), (gen_random_uuid(), 't', '2026-11-01', 2, 1, ${later})`,
        `insert into billing.ledger_check (due_at, checked_at, differences) values (now(), now(), 2)`,
        `insert into usage.rollup_check (due_at, checked_at, differences) values (now(), now(), 3)`,
      ],
      ({ env }) => runTollgate('status --json --url http://127.0.0.1:1', { env, folder: running.folder }),
    );
    expect(status).toMatchObject({ code: 1, err: '' });
    expect(JSON.parse(status.out)).toMatchObject({
      running: null,
      readiness: 'no answer',
      counted_through: null,
      failing_payouts: 1,
      open_disputes: 1,
      unknown_orders: 1,
      unclosed_consumers: 1,
      usage_alerts: 1,
      ledger_differences: 2,
      rollup_differences: 3,
    });
  });

  it('finds by itself the Tollgate that was started in the same folder, without a flag or a variable', async () => {
    const folder = makeFolder();
    const args = [standaloneMain, '--port', '0'];
    const dataDir = join(folder, '.tollgate');
    const service = startChildService({ command: process.execPath, args, cwd: folder, dataDir });
    try {
      const { baseUrl } = await readyAt(service);
      const status = await runTollgate('status', { folder });
      expect(status).toMatchObject({ err: '', out: expect.stringContaining(` at ${baseUrl}: ready.\n`) });
    } finally {
      await service.destroy();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('says that a stopped Tollgate does not run', async () => {
    running.service.signal('SIGTERM');
    await running.service.exited;
    const stopped = await tollgate('status');
    expect(stopped).toMatchObject({ code: 1, out: expect.stringMatching(/^Tollgate \S+ does not run\.\n/) });
  });
});
