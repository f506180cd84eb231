import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openProduct } from '../open-product.ts';
import { pressPage } from '@tollgate/testkit/press-button';
import { openMarket } from './market.ts';
import { runTollgate } from './tollgate-program.ts';

const operator = 'operator-token-of-the-people-tests-0123';

describe('the command line of a consumer and a builder', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const product = await openProduct({ name: 'people-commands', env: { OPERATOR_TOKEN: operator } }, undo);
    const market = await openMarket(product.baseUrl());
    const folder = openFolder('people-commands-files', undo);
    const as = async (who: 'consumer' | 'builder') => {
      const { key: apiKey = '' } = await market[who].apiKeys.create({ name: 'cli' });
      const env = { XDG_CONFIG_HOME: folder, TOLLGATE_URL: product.baseUrl(), TOLLGATE_API_KEY: apiKey };
      return async (...args: readonly string[]) => runTollgate(args, env);
    };
    return { product, market, folder, consumer: await as('consumer'), builder: await as('builder') };
  });

  it('hands out a pass with a cap, a bound per call and an end, and shows them as people say them', async (opened) => {
    const { consumer, market } = opened;
    const limits = [
      '--cap',
      '5',
      '--window',
      'day',
      '--per-call-max',
      '0.05',
      '--approve-above',
      '0.02',
      '--expires',
      '30d',
    ];
    const created = await consumer('passes', 'create', 'agent-1', '--tool', market.slug, ...limits, '--json');
    const pass = JSON.parse(created.stdout) as { expires_at: string };
    expect(pass).toMatchObject({
      tools: [market.slug],
      cap: { amount_usd: 5, window: 'day' },
      per_call_max_usd: 0.05,
      approve_above_usd: 0.02,
    });
    const days = (Date.parse(pass.expires_at) - systemClock.now()) / 86_400_000;
    expect(Math.abs(days - 30)).toBeLessThan(0.01);
    const { stdout } = await consumer('passes');
    expect(stdout).toMatch(new RegExp(`\\nagent-1 +${market.slug} +5 USD a day +5 +0\\.05 +\\S+Z +false +`));
    const free = await consumer('passes', 'create', 'open');
    expect([free.code, free.stderr]).toEqual([0, expect.stringContaining('It has no cap')]);
    const wrong = await consumer('passes', 'create', 'x', '--cap', '5e3');
    expect([wrong.code, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(/^tollgate: option .*amount of dollars.*\n$/),
    ]);
  });

  it('lets an agent divide its budget with its pass, and lists what it gave', async ({ market, folder, consumer }) => {
    const made = await consumer(
      'passes',
      'create',
      'planner',
      '--tool',
      market.slug,
      '--cap',
      '5',
      '--expires',
      '30d',
      '--key-only',
    );
    const env = { XDG_CONFIG_HOME: folder, TOLLGATE_URL: market.consumer.url, TOLLGATE_API_KEY: made.stdout.trim() };
    const agent = (...args: readonly string[]) => runTollgate(['passes', 'children', ...args], env);
    const helper = ['create', '--name', 'helper', '--cap', '1', '--expires', '12h'] as const;
    const key = (await agent(...helper, '--key-only')).stdout.trim();
    const call = { tool_id: market.slug, pass: key };
    expect(await market.builder.spending.authorize(call)).toMatchObject({ held_usd: 0.01, state: 'open' });
    const { stdout } = await agent();
    expect(stdout).toMatch(new RegExp(`\\nhelper +${market.slug} +false +\\S+Z +false +`));
    expect(await consumer('passes')).toMatchObject({ stdout: expect.stringMatching(/\nhelper .* 1 USD in total /) });
    const late = await agent('create', '--cap', '1', '--expires', '60d');
    expect([late.code > 0, late.stderr]).toEqual([true, expect.stringContaining('no later than')]);
    const unbounded = await agent('create', '--expires', '1h');
    expect([unbounded.code, unbounded.stderr]).toEqual([2, expect.stringContaining('--cap')]);
  });

  it('lists calls that wait for an approval, which no API key gives', async ({ market, consumer }) => {
    const { id, key } = await market.consumer.passes.create({ name: 'asker', tools: '*', approve_above_usd: 0.001 });
    await expect(market.builder.spending.authorize({ tool_id: market.slug, pass: key })).rejects.toThrow(
      'approval_required',
    );
    const { stdout } = await consumer('approvals', '--json');
    const [approval] = JSON.parse(stdout) as { id: string; pass_id: string }[];
    expect(approval).toMatchObject({ pass_id: id, at_most_usd: 0.01, beyond_cap_usd: 0 });
    expect((await consumer('approvals')).stdout).toMatch(new RegExp(`\\nasker +${market.slug} +0\\.01 +0 +none `));
    const answered = await consumer('approvals', 'approve', approval?.id ?? '');
    expect([answered.code === 0, answered.stderr]).toEqual([false, expect.stringContaining('forbidden')]);
  });

  it('shows prices, budget, balance, card and payout account, and says what there is not', async (opened) => {
    const { product, consumer, builder, market } = opened;
    expect((await builder('tools')).stdout).toMatch(/ 0\.01 USD per call /);
    expect((await consumer('prices', market.slug)).stdout).toMatch(/\nthe beginning +0\.01 USD per call /);
    expect((await consumer('budget')).stdout).toContain('`tollgate budget set <usd>`');
    expect((await consumer('budget', 'set', '50')).stdout).toContain('50 USD a month');
    expect(JSON.parse((await consumer('budget', '--json')).stdout)).toMatchObject({ amount_usd: 50, window: 'month' });
    expect((await consumer('budget')).stdout).toMatch(/forecast +none yet: it takes 14 whole days of calls/);
    expect(await consumer('budget', 'remove')).toMatchObject({ code: 0 });
    expect((await consumer('balance')).stdout).toMatch(/\nbalance_usd +0\n/);
    expect((await consumer('card')).stdout).toContain('`tollgate card add`');
    expect(JSON.parse((await consumer('card', '--json')).stdout)).toBeNull();
    const { setup_url: card } = JSON.parse((await consumer('card', 'add', '--json')).stdout) as { setup_url: string };
    await pressPage(product.client, card);
    expect((await consumer('card')).stdout).toMatch(/^brand +\w+\nlast4 +\d{4}\n/);
    expect((await builder('connect')).stderr).toContain('`tollgate connect add`');
    expect((await builder('connect', 'add')).stdout).toMatch(/^open +http/);
    const topUp = await consumer('balance', 'top-up', '20');
    expect([topUp.code, topUp.stdout]).toEqual([0, expect.stringMatching(/\namount_usd +20\n/)]);
  });

  it('tops the balance up by itself and tells of a low one, as people set it', async ({ consumer }) => {
    const autoTopUp = async (...args: readonly string[]) => consumer('balance', 'auto-top-up', ...args);
    const off = await autoTopUp();
    expect([off.code, off.stdout]).toEqual([0, expect.stringContaining('`tollgate balance auto-top-up set`')]);
    expect(JSON.parse((await autoTopUp('--json')).stdout)).toBeNull();
    const amounts = ['--below', '10', '--amount', '50.5', '--monthly-max', '200'];
    expect((await autoTopUp('set', ...amounts)).stdout).toMatch(
      /^below_usd +10\namount_usd +50\.5\nmonthly_max_usd +200\n/,
    );
    const shown = JSON.parse((await autoTopUp('show', '--json')).stdout) as object;
    expect(shown).toMatchObject({ below_usd: 10, amount_usd: 50.5, monthly_max_usd: 200, failure_code: null });
    expect((await consumer('balance')).stdout).toContain('50.5 USD below 10 USD, at most 200 USD a month\n');
    const lacking = await autoTopUp('set', '--below', '10');
    expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining('--amount') });
    const wrong = await autoTopUp('set', '--below', '10', '--amount', '50', '--monthly-max', '1');
    expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('/monthly_max_usd must be at least') });
    expect(await autoTopUp('remove')).toMatchObject({ code: 0, stdout: 'Automatic top-up is off.\n' });
    expect((await autoTopUp('show')).stdout).toBe(off.stdout);

    const alerts = async (...args: readonly string[]) => consumer('balance', 'alerts', ...args);
    const none = await alerts();
    expect([none.code, none.stdout]).toEqual([0, expect.stringContaining('`tollgate balance alerts set <usd>`')]);
    expect((await alerts('set', '5', '20')).stdout).toMatch(/^below_usd +20 5\n$/);
    expect((await alerts()).stdout).toMatch(/^below_usd +20 5\n$/);
    expect(JSON.parse((await alerts('--json')).stdout)).toEqual({ below_usd: [20, 5] });
    expect(await alerts('set', 'five')).toMatchObject({ code: 2, stdout: '' });
    expect(await alerts('remove')).toMatchObject({ code: 0, stdout: 'No low-balance alert is set.\n' });
    expect((await alerts('show')).stdout).toBe(none.stdout);
  });

  it('follows a call to its invoice, which it shows with its lines and writes as PDF', async (opened) => {
    const { product, market, folder, consumer, builder } = opened;
    const { event_id: id } = await market.consumer.events.record({ tool_id: market.slug });
    await market.untilCounted({ successes: 1, failures: 0 });
    const own = await market.builder.events.record({ tool_id: market.slug });
    expect((await consumer('trace', id)).stdout).toMatch(/ {2}rated +0\.01 USD by price .*\n[^]* {2}payment +waiting/);
    expect((await builder('trace', own.event_id)).stdout).toContain('not billed: own call');
    expect((await builder('usage')).stdout).toContain('calls of your own tools are free');
    await product.client('POST', '/v1/sandbox/clock', { token: operator, body: { advance_seconds: 40 * 86_400 } });
    const shown = await consumer('invoice', '1');
    expect(shown.stdout).toMatch(
      new RegExp(`\\ncharge_usd +0\\.01\\n[^]*\\n\\ntool_id +quantity.*\\n${market.slug} +1 +calls +0\\.01`),
    );
    const file = join(folder, 'one.pdf');
    expect((await consumer('invoice', '1', '--pdf', file)).stdout).toBe(`Written to ${file}.\n`);
    expect(readFileSync(file, 'latin1').slice(0, 5)).toBe('%PDF-');
    expect(await consumer('invoice', '99')).toMatchObject({ code: 1, stderr: expect.stringContaining('number 99') });
  });

  it('says in one line what is wrong, and once', async ({ consumer }) => {
    for (const [words, line] of [
      [['nonsense'], /^tollgate: unknown command 'nonsense'\. `--help` shows what there is\.\n$/],
      [['tols'], /^tollgate: unknown command 'tols' \(Did you mean tools\?\)\. .*\n$/],
      [
        ['tools', 'lst'],
        /^tollgate: unknown command 'lst' of tools; there are list, create, get, update, archive\. .*\n$/,
      ],
      [['balance', 'alerts', 'st'], /^tollgate: unknown command 'st' of alerts; there are show, set, remove\. .*\n$/],
      [['tools', 'create'], /^tollgate: missing required argument 'slug'\. .*\n$/],
      [['operator', 'bakup', 'x'], /^tollgate: unknown command 'bakup' \(Did you mean backup\?\)\. .*\n$/],
    ] as const)
      expect(await consumer(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(line) });
    const { stderr } = await consumer('tools', 'create', 'A B');
    expect(stderr).toMatch(/^tollgate: invalid_request: The body is not valid: \/slug must [^/]* \(request \S+\)\n$/);
  });
});
