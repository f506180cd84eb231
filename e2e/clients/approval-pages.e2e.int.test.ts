import { expect } from '@jest/globals';
import type { Tollgate } from '@tollgate/sdk';
import type { Page } from 'playwright-core';
import { describeWithChromium, looks, openChromium, shoot } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { openOAuthWorld, type OAuthWorld } from './oauth-world.ts';

describeWithChromium('the page of an approval', () => {
  const it = itWith(async (undo) => ({
    world: await openOAuthWorld('approval-pages', undo),
    browser: await openChromium(undo),
  }));

  it('F348 lets a refused call through, on a phone and on a desk, by day and by night, without scripts', async ({
    world,
    browser,
  }) => {
    const cap = { amount_usd: 0.01, window: 'total' } as const;
    const { key } = await world.consumer.passes.create({ name: 'Research agent', tools: '*', cap });
    const ask = () => world.builder.spending.authorize({ tool_id: 'history', pass: key });
    await ask(); // all of the cap
    for (const [width, colorScheme] of looks) {
      const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme, javaScriptEnabled: false });
      await page.goto(await urlOf(ask));
      await signInAndApprove(page, world, `${width}-${colorScheme}`);
      expect(await ask()).toMatchObject({ held_usd: 0.01, state: 'open' });
      await page.close();
    }
    const [pass] = await world.consumer.passes.list().toArray();
    expect(pass).toMatchObject({ cap, held_usd: 0.05, remaining_usd: 0 });
  });
});

/** The address to which a refused ask leads. */
async function urlOf(ask: () => ReturnType<Tollgate['spending']['authorize']>): Promise<string> {
  const refused = await ask().then(
    () => undefined,
    (error: unknown) => error as { readonly code?: string; readonly approval?: { readonly url: string } },
  );
  expect(refused?.code).toBe('spending_cap_reached');
  return refused?.approval?.url ?? '';
}

async function signInAndApprove(page: Page, { person }: OAuthWorld, name: string): Promise<void> {
  const look = async (step: string) => {
    await shoot(page, `${name}-${step}`);
    const box = await page.locator('main').boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
  };
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await look('sign-in');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Pay up to 0.01 USD for one call of history?' }).waitFor();
  await look('approval');
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  await look('approved');
}
