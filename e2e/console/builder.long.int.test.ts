import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { startChildService } from '@tollgate/testkit/child-service';
import { eventually } from '@tollgate/testkit/eventually';
import { findFreePorts } from '@tollgate/testkit/find-free-ports';
import { formatUsd } from '../../packages/console/src/patterns/format-usd.ts';
import { buildPackage } from '../../tools/release/pack-package.ts';
import { describeWithChromium, looks } from '../chromium.ts';
import { serverCommand } from '../clients/open-proxies.ts';
import { itWith, openFolder } from '../it-with.ts';
import { openMonthWorld } from './month-world.ts';
import { signIn } from './sign-in.ts';
import { showPages, watchPage } from './watch-page.ts';

describeWithChromium('the pages of a builder', () => {
  const it = itWith(async (undo) => {
    buildPackage('packages/cli');
    const folder = openFolder('console-builder', undo);
    const bin = join(folder, 'node_modules/.bin');
    mkdirSync(bin, { recursive: true }); // as an installation has it
    const main = fileURLToPath(new URL('../../packages/cli/dist/main.js', import.meta.url));
    chmodSync(main, 0o755);
    symlinkSync(main, join(bin, 'tollgate'));
    return { ...(await openMonthWorld(undo)), folder, undo };
  }, 300_000);

  it('F365 has lines for an MCP server that serve and meter a tool as they are pasted', async (world) => {
    const page = await signIn(world, world.builder.email, { permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${world.baseUrl}/app/tools/weather`);
    const [port = 0] = await findFreePorts(1);
    await page.getByLabel('It listens on').fill(`127.0.0.1:${port}`);
    await page.getByLabel('Command of your server').fill([...serverCommand, 'second'].join(' '));
    await page.getByRole('button', { name: 'Make an API key for it' }).click();
    await page.getByText('The lines have a new key').waitFor();
    await page.getByRole('button', { name: 'Copy lines' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const pasted = await page.evaluate<string>('navigator.clipboard.readText()');

    const env = { PATH: process.env['PATH'] ?? '', HOME: world.folder, XDG_CONFIG_HOME: world.folder };
    const proxy = startChildService({ command: 'sh', args: ['-c', `cd ${world.folder}\n${pasted}`], env });
    world.undo(() => proxy.destroy());
    await proxy.line(/serves MCP at (\S+)$/m, { withinMs: 60_000 });
    const before = (await world.consumer.client.usage.get({ tool_id: 'weather' })).totals.calls;
    const { key } = await world.consumer.client.passes.create({ name: 'for the server', tools: ['weather'] });
    const client = new Client({ name: 'agent', version: '1' });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`), { requestInit }));
    expect(await client.callTool({ name: 'weather', arguments: { city: 'Oslo' } })).toMatchObject({
      content: [{ text: 'Oslo' }],
    });
    await client.close();
    await eventually(
      async () => (await world.consumer.client.usage.get({ tool_id: 'weather' })).totals.calls === before + 1,
      { withinMs: 10_000 },
    );
    await page.context().close();
  });

  it('write a price in steps, see what it comes to, and set it for an hour to come', async (world) => {
    const page = await signIn(world, world.builder.email);
    await page.goto(`${world.baseUrl}/app/tools/translate`);
    await page.getByRole('button', { name: 'Write a new price' }).click();
    const example = (calls: string, usd: string) =>
      page.getByRole('row', { name: new RegExp(`^${calls} ${usd.replace('$', String.raw`\$`)}$`) }).waitFor();
    await example('100,000', '$1,100.00'); // the price in force
    await page.getByLabel('Price model').selectOption('In steps');
    const steps = page.getByRole('group', { name: 'Steps' });
    await steps.getByLabel('Up to').fill('1000');
    await steps.getByLabel('US dollars for each').first().fill('0.01');
    await steps.getByLabel('US dollars for each').last().fill('0.005');
    await example('10', '$0.10');
    await example('1,000', '$10.00');
    await example('100,000', '$505.00');
    await steps.getByLabel('Up to').fill('many');
    await page
      .getByText(/must be a decimal string/)
      .first()
      .waitFor();
    await steps.getByLabel('Up to').fill('1000');
    await page.getByRole('button', { name: 'Set price' }).click();
    const line = page.getByRole('list', { name: 'Price versions' }).getByRole('listitem');
    await line.first().getByText('to come').waitFor();
    await line.first().getByText('in steps per call: up to 1,000 $0.01, then $0.005').waitFor();
    await line.last().getByText('in force').waitFor();
    const { prices } = await world.builder.client.tools.prices('translate').firstPage();
    expect(prices).toHaveLength(2);
    await page.context().close();
  });

  it('say when the money of a month arrives, and show its path by the sums of the statement', async (world) => {
    const page = await signIn(world, world.builder.email);
    const { payouts } = await world.builder.client.payouts.list({ status: 'paid' }).firstPage();
    const [paid] = payouts;
    const statement = await world.builder.client.billing.statement({ period: '2026-10' });
    await page.goto(`${world.baseUrl}/app/payouts?status=paid`);
    await page.getByText('It receives your payouts.').waitFor();
    await page.getByRole('link', { name: '2026-10' }).click();
    await page.getByText('It was transferred to your payout account.').waitFor();
    for (const [station, usd] of [
      ['Charged', statement.charge_usd],
      ['Platform fee', statement.fee_usd],
      ['Paid out', paid?.net_usd ?? Number.NaN],
      ['Carried out', statement.carried_out.earning_usd],
    ] as const)
      await page.getByRole('row', { name: `${station} ${formatUsd(usd)}` }).waitFor();
    await page
      .getByRole('img', { name: /The path of the money/ })
      .getByText(`Paid out ${formatUsd(paid?.net_usd ?? 0)}`)
      .waitFor();
    await page
      .getByRole('row', { name: /^web-search per use Oct 30/ })
      .getByRole('link', { name: 'Oct 30' })
      .click();
    await page.getByRole('row', { name: /^Oct 30, 12:00/ }).waitFor();
    await page.context().close();
  });

  it('keep nobody out', async (world) => {
    const { payouts } = await world.builder.client.payouts.list().firstPage();
    const [pending, paid] = payouts;
    const pages = {
      tool: '/tools/web-search',
      'tool-versions': '/tools/translate',
      'tool-missing': '/tools/no-such-tool',
      payouts: '/payouts',
      'payout-pending': `/payouts/${pending?.id}`,
      'payout-paid': `/payouts/${paid?.id}`,
      'payouts-none': '/payouts?status=failed',
    };
    const chosen = process.env['SCREENSHOTS'] === undefined ? looks.slice(0, 2) : looks;
    for (const [width, colorScheme] of chosen) {
      const page = await signIn(world, world.builder.email, { viewport: { width, height: 900 }, colorScheme });
      const watched = watchPage(page, world.baseUrl);
      await showPages(page, { baseUrl: world.baseUrl, pages, width, colorScheme });
      watched.expectOwnRequests();
      await page.context().close();
    }
  }, 600_000);
});
