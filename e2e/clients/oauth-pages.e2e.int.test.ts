import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { chromium, type Locator, type Page } from 'playwright-core';
import { itWith } from '../it-with.ts';
import { beginSecond, createStore } from './oauth-mcp-clients.ts';
import { openOAuthWorld, type OAuthWorld } from './oauth-world.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const describeWithChromium = await describeWhere('Chromium', async () => {
  if (!existsSync(executablePath)) throw new Error('Chromium is not installed; CHROMIUM names its path');
});

describeWithChromium('the pages of a consent', () => {
  const it = itWith(async (undo) => openOAuthWorld('oauth-pages', undo));

  it('F309 work in a real browser without scripts, on a phone and on a desk, by day and by night', async (world) => {
    const store = createStore(world);
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-background-networking'],
    });
    try {
      for (const [width, colorScheme] of [
        [390, 'light'],
        [1280, 'dark'],
        [390, 'dark'],
        [1280, 'light'],
      ] as const) {
        const attempt = beginSecond(new URL(world.serverUrl), store);
        store.saveTokens(undefined);
        await expect(attempt.connect()).rejects.toThrow(/unauthorized/i);
        const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: false });
        await page.goto(store.opened());
        await signInAndAllow(page, world, `${width}-${colorScheme}`);
        await page.waitForURL(`${world.redirectUrl}**`);
        await attempt.finish(world.callback() ?? new URLSearchParams());
        await attempt.connect();
        expect(await attempt.call()).toMatchObject({ content: [{ text: '12 degrees' }] });
        await page.close();
      }
    } finally {
      await browser.close();
    }
  });
});

/** Screenshots go where SCREENSHOTS says. */
async function signInAndAllow(page: Page, { person }: OAuthWorld, name: string): Promise<void> {
  const shoot = async (step: string) => {
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${step}.png`), fullPage: true });
    await expectFieldsToFit(page);
  };
  await shoot('sign-in');
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: /spend your money/ }).waitFor();
  await shoot('consent');
  await page.getByRole('checkbox', { name: /history/ }).uncheck();
  await page.getByRole('button', { name: 'Allow' }).click();
}

/** Each field stays within its label, and each label within the page. */
async function expectFieldsToFit(page: Page): Promise<void> {
  const endOf = async (locator: Locator) => {
    const box = await locator.boundingBox();
    return box === null ? Number.NaN : Math.floor(box.x + box.width);
  };
  for (const label of await page.locator('label.field').all()) {
    expect(await endOf(label.locator('input, select'))).toBeLessThanOrEqual(await endOf(label));
    expect(await endOf(label)).toBeLessThanOrEqual(await endOf(page.locator('section')));
  }
}
