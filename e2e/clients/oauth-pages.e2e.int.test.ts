import { expect } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { describeWithChromium, looks, openChromium, shoot } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { beginSecond, createStore } from './oauth-mcp-clients.ts';
import { openOAuthWorld, type OAuthWorld } from './oauth-world.ts';

describeWithChromium('the pages of a consent', () => {
  const it = itWith(async (undo) => ({
    world: await openOAuthWorld('oauth-pages', undo),
    browser: await openChromium(undo),
  }));

  it('F309 work in a real browser without scripts, on a phone and on a desk, by day and by night', async ({
    world,
    browser,
  }) => {
    const store = createStore(world);
    for (const [width, colorScheme] of looks) {
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
  });

  it('F382 lead a person who has nothing to pay with to a payment method, and back', async ({ world, browser }) => {
    await world.builder.auth.update({ public_name: 'Weather House' });
    const store = createStore(world);
    await expect(beginSecond(new URL(world.serverUrl), store).connect()).rejects.toThrow(/unauthorized/i);
    const page = await (await browser.newContext({ viewport: { width: 390, height: 900 } })).newPage();
    await page.goto(store.opened());
    await signIn(page, world);
    const consent = page.getByRole('heading', { name: /spend your money/ });
    await consent.waitFor();
    expect(await page.locator('dl').textContent()).toContain('Weather House (not verified)');
    await shoot(page, 'no-payment-method');
    await page.getByRole('link', { name: 'Add a payment method' }).click();
    await signIn(page, world); // the session of the console is another one
    await page.getByText('A program waits for your answer.').waitFor();
    await shoot(page, 'payment-for-a-consent');
    await page.getByRole('button', { name: 'Set up a payment method' }).click();
    await page.waitForURL(/sandbox/);
    await page.getByRole('button').first().click();
    await page.getByText(/ending in 4242/).waitFor();
    await page.getByRole('link', { name: 'go back to its page' }).click();
    await consent.waitFor();
    expect(await page.getByText('no payment method').count()).toBe(0);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(`${world.redirectUrl}**`);
  });
});

async function signIn(page: Page, { person }: OAuthWorld): Promise<void> {
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function signInAndAllow(page: Page, world: OAuthWorld, name: string): Promise<void> {
  const look = async (step: string) => {
    await shoot(page, `${name}-${step}`);
    await expectFieldsToFit(page);
  };
  await look('sign-in');
  await signIn(page, world);
  await page.getByRole('heading', { name: /spend your money/ }).waitFor();
  await look('consent');
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
