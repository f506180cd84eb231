import { mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { Tollgate } from '@tollgate/sdk';
import { startChildService } from '@tollgate/testkit/child-service';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { buildStandalone } from '@tollgate/testkit/standalone-process';
import type { Browser } from 'playwright-core';
import { refuseLackingMachine } from '../../stack/start-stack.ts';
import { openChromium, refuseWithoutChromium } from '../chromium.ts';
import { itWith, openFolder, type Undo } from '../it-with.ts';
import { password } from './console-world.ts';
import { expectUsable, watchPage } from './watch-page.ts';

const main = fileURLToPath(new URL('../../stack/main.ts', import.meta.url));

const describeStackInBrowser = await describeWhere('pnpm stack, in Chromium', async () => {
  await refuseWithoutChromium();
  await refuseLackingMachine();
});

describeStackInBrowser('the console of the distributed shape', () => {
  const it = itWith(openStack);

  it('signs in by auth, makes a pass at the gateway and shows what billing has counted', async ({
    baseUrl,
    browser,
  }) => {
    const page = await browser.newPage();
    const watched = watchPage(page, baseUrl);
    await page.goto(`${baseUrl}/`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail').fill('consumer@example.com');
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('link', { name: 'Make a pass' }).click();
    await page.getByLabel('Name').fill('agent');
    await page.getByLabel('All tools, also those to come').check();
    await page.getByRole('button', { name: 'Make pass' }).click();
    await page.getByText('The key is shown this once.').waitFor();
    const builder = await registerBuilder(baseUrl);
    const key = await page.locator('pre').first().innerText();
    await builder.with({ apiKey: key }).events.record({ tool_id: 'weather' });
    await page.getByRole('link', { name: 'Calls', exact: true }).click();
    await page.getByRole('row', { name: /weather succeeded/ }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('$0.01').first().waitFor();
    await expectUsable(page, 'stack-overview');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    watched.expectOwnRequests();
  }, 120_000);
});

async function registerBuilder(baseUrl: string): Promise<Tollgate> {
  const anybody = new Tollgate({ url: baseUrl });
  const { access_token: token } = await anybody.auth.register({ email: 'builder@example.com', password });
  const builder = anybody.with({ apiKey: token });
  await builder.tools.create({ slug: 'weather', name: 'Weather', price: { per_call_usd: '0.01' } });
  return builder;
}

async function openStack(undo: Undo): Promise<{ readonly baseUrl: string; readonly browser: Browser }> {
  await buildStandalone();
  const folder = openFolder('stack-console', undo);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary, { mode: 0o711 });
  const { XDG_CACHE_HOME = join(homedir(), '.cache') } = process.env; // has Kafka since the first run
  const child = startChildService({
    command: process.execPath,
    args: ['--conditions=@tollgate/source', '--disable-warning=ExperimentalWarning', main, '--port', '0'],
    env: { TMPDIR: temporary, XDG_CACHE_HOME, HOME: homedir() },
  });
  undo(() => child.destroy());
  const [, file = ''] = await child.line(/^Addresses: +(.+)$/m, { withinMs: 150_000 });
  const { base_url: baseUrl } = JSON.parse(readFileSync(file, 'utf8')) as { base_url: string }; // written by the stack
  return { baseUrl, browser: await openChromium(undo) };
}
