import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { systemClock } from '@tollgate/kernel/clock';
import { busyMs } from '@tollgate/testkit/eventually';
import { TOTP } from 'otpauth';
import { describeWithChromium } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { callAsPasted } from './call-as-pasted.ts';
import { openConsoleWorld, password } from './console-world.ts';
import { fillSignIn, signIn } from './sign-in.ts';
import { tabTo } from './tab-to.ts';
import { watchPage } from './watch-page.ts';

const assets = fileURLToPath(new URL('../../packages/console/dist/assets/', import.meta.url));

describeWithChromium('the console', () => {
  const it = itWith(async (undo) => openConsoleWorld(undo));

  it('leads from the sign-up to a paid call, its timeline and the draft invoice, by clicks alone', async (world) => {
    const { baseUrl, slug, browser } = world;
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    const watched = watchPage(page, baseUrl);
    await page.goto(`${baseUrl}/`);
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('E-mail').fill(`${slug}@example.com`);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByText('No calls yet this month.').waitFor();

    await page.getByRole('link', { name: 'Make a pass' }).click();
    await page.getByLabel('Name').fill('research agent');
    const tools = page.getByRole('combobox', { name: 'Tools that it allows' });
    await tools.fill(slug);
    await tools.press('Enter');
    await page.getByRole('button', { name: 'Make pass' }).click();
    await page.getByRole('button', { name: 'Copy configuration' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const pasted = await page.evaluate<string>('navigator.clipboard.readText()');

    await page.getByRole('link', { name: 'See its calls arrive' }).click();
    await page.getByText('No calls fit the filter yet.').waitFor();
    expect(await callAsPasted(pasted, slug)).toMatchObject({ content: [{ text: 'Oslo' }] });
    const sinceMs = systemClock.monotonicMs();
    await page.getByRole('row', { name: /succeeded/ }).waitFor({ timeout: 30_000 });
    expect(systemClock.monotonicMs() - sinceMs).toBeLessThan(1_000 + busyMs);

    await page
      .getByRole('row', { name: /succeeded/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByText('It adds $0.01.').waitFor();
    await page.getByRole('link', { name: 'See the invoice' }).click();
    await page.getByRole('row', { name: `${slug} per use 1 call $0.01` }).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('row', { name: `${slug} 1 0 $0.01` }).waitFor();
    watched.expectOwnRequests();
    await context.close();
  });

  it('lets the keyboard alone sign in and make a pass', async (world) => {
    const { email } = await world.signUp();
    const page = await world.browser.newPage();
    await page.goto(`${world.baseUrl}/app/passes/new`);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await tabTo(page, 'E-mail');
    await page.keyboard.type(email);
    await tabTo(page, 'Password');
    await page.keyboard.type(password);
    await press('Enter');
    await page.getByRole('heading', { name: 'Make a pass' }).waitFor();
    await tabTo(page, 'Name');
    await page.keyboard.type('by keyboard');
    await tabTo(page, 'Tools that it allows');
    await page.keyboard.type(world.slug);
    await press('Enter');
    await tabTo(page, 'Cap in US dollars');
    await press('Control+a');
    await page.keyboard.type('2.50');
    await press('Enter');
    await page.getByText(`It may spend $2.50 a day on ${world.slug}.`).waitFor();
    await page.close();
  });

  it('asks for the code of a second factor, and shows what the service says of a wrong one', async (world) => {
    const { email, client } = await world.signUp();
    const { secret } = await client.secondFactor.begin({ password });
    const totp = new TOTP({ secret });
    await client.secondFactor.confirm({ code: totp.generate({ timestamp: systemClock.now() - 30_000 }) });
    const page = await world.browser.newPage();
    await page.goto(`${world.baseUrl}/app`);
    await fillSignIn(page, email);
    await page.getByLabel('Code of your second factor').fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').getByText(/code/i).waitFor();
    await page.getByLabel('Code of your second factor').fill(totp.generate());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'This month' }).waitFor();
    await page.close();
  });

  it('says that a session has ended, and goes on where it was after the next sign-in', async (world) => {
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/calls?tool_id=${world.slug}`);
    await page.getByText('No calls fit the filter yet.').waitFor();
    await page.context().clearCookies();
    await page.getByText('Your session has ended.').waitFor();
    await fillSignIn(page, email);
    await page.getByText('No calls fit the filter yet.').waitFor();
    expect(page.url()).toBe(`${world.baseUrl}/app/calls?tool_id=${world.slug}`);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByText(/sends no mail/).waitFor();
    await page.context().close();
  });

  it('keeps what it shows while it is offline, says so, and goes on by itself', async (world) => {
    const { email, client } = await world.signUp();
    const page = await signIn(world, email);
    await client.passes.create({ name: 'shown offline', tools: '*' });
    await page.getByRole('link', { name: 'Passes' }).click();
    await page.getByText('shown offline').waitFor();
    await page.context().setOffline(true);
    await page.getByText('You are offline.').waitFor();
    await page.getByText('shown offline').waitFor();
    await page.context().setOffline(false);
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    await page.context().close();
  });

  it('F343 makes one pass when its form is sent again because the answer was lost', async (world) => {
    const { email, client } = await world.signUp();
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/passes/new`);
    let lost = 0;
    await page.route('**/v1/passes', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost += 1;
      await route.fetch(); // the service makes it, and the browser never hears of it
      return route.abort();
    });
    await page.getByLabel('Name').fill('once');
    await page.getByLabel('All tools, also those to come').check();
    await page.getByRole('button', { name: 'Make pass' }).click();
    await page.getByText('Tollgate cannot be reached.').waitFor();
    await page.getByRole('button', { name: 'Make pass' }).click();
    await page.getByText('The key is shown this once.').waitFor();
    expect((await client.passes.list().firstPage()).total).toBe(1);
    await page.context().close();
  });

  it('pauses, resumes and revokes a pass, each after it has said what happens', async (world) => {
    const { email, client } = await world.signUp();
    const { id } = await client.passes.create({ name: 'agent', tools: '*', cap: { amount_usd: 5, window: 'day' } });
    const page = await signIn(world, email);
    await page.goto(`${world.baseUrl}/app/passes/${id}`);
    const confirm = async (label: string, says: RegExp) => {
      await page.getByRole('button', { name: label, exact: true }).click();
      const dialog = page.getByRole('dialog', { name: `${label}?` });
      await dialog.getByText(says).waitFor();
      await dialog.getByRole('button', { name: label }).click();
    };
    await confirm('Pause pass', /calls with it are refused, until you resume it/);
    await page.getByText('paused', { exact: true }).waitFor();
    expect((await client.passes.get(id)).paused).toBe(true);
    await confirm('Resume pass', /until its cap: \$5\.00 a day/);
    await page.getByText('active', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change cap' }).click();
    await page.getByLabel('Cap in US dollars').fill('7.25');
    await page.getByRole('dialog').getByRole('button', { name: 'Change cap' }).click();
    await page.getByText('$7.25 a day').first().waitFor();
    expect((await client.passes.get(id)).cap).toEqual({ amount_usd: 7.25, window: 'day' });
    await confirm('Revoke pass', /every call with agent is refused, and that is final/);
    await page.getByText('No passes yet.').waitFor();
    await expect(client.passes.get(id)).rejects.toThrow('not_found');
    await page.context().close();
  });

  it('loads at most 220 kB, in one round, and asks all at once before it shows its first page', async (world) => {
    const { email } = await world.signUp();
    const page = await signIn(world, email);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    const names = new Set<string>();
    const asked: string[] = [];
    page.on('request', (request) => {
      asked.push(new URL(request.url()).pathname);
      const [, name] = /\/app\/assets\/(.+)$/.exec(request.url()) ?? [];
      if (name !== undefined) names.add(name); // one that is preloaded is asked for twice
    });
    const answers = page.waitForResponse(/\/v1\/auth\/me$/).then(() => asked.filter((path) => path.startsWith('/v1/')));
    await page.goto(`${world.baseUrl}/app`);
    await page.getByText('No calls yet this month.').waitFor();
    expect(new Set(await answers)).toEqual(new Set(['/v1/auth/me', '/v1/billing/budget', '/v1/usage']));
    const bytes = [...names].reduce((sum, name) => sum + gzipSync(readFileSync(assets + name)).byteLength, 0);
    const html = await (await fetch(`${world.baseUrl}/app`)).text();
    const later = [...names].filter((name) => !html.includes(name));
    expect(later).toEqual([]); // else a round more
    expect(bytes).toBeLessThanOrEqual(220_000);
    await page.context().close();
  });
});
