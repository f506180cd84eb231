import { expect } from '@jest/globals';
import type { Tollgate } from '@tollgate/sdk';
import { serveHttp } from '@tollgate/testkit/http-server';
import { ownerUrlOf, withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import type { Frame, Page } from 'playwright-core';
import { formatUsd } from '../../packages/console/src/patterns/format-usd.ts';
import { describeWithChromium, looks } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { openMonthWorld } from './month-world.ts';
import { signIn } from './sign-in.ts';
import { expectUsable } from './watch-page.ts';

/** Products of accounts, at an origin and a site of their own: `localhost`, beside the `127.0.0.1` of Tollgate. */
describeWithChromium('an embed', () => {
  const it = itWith(async (undo) => {
    const world = await openMonthWorld(undo);
    let framed = '';
    const product = await serveHttp((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<!doctype html><title>A product</title><iframe src="${framed}" width="100%" height="1400"></iframe>`,
      );
    });
    undo(() => product.close());
    const origin = product.baseUrl.replace('127.0.0.1', 'localhost');
    const show = async (url: string, at: { readonly page?: Page; readonly origin?: string } = {}) => {
      framed = url.replaceAll('&', '&amp;');
      const page = at.page ?? (await (await world.browser.newContext()).newPage());
      await page.goto(at.origin ?? origin);
      return page;
    };
    return { ...world, origin, sameSite: product.baseUrl, show };
  }, 300_000);

  const frameOf = async (page: Page): Promise<Frame> => {
    const frame = await (await page.waitForSelector('iframe')).contentFrame();
    if (frame === null) throw new Error('the page has no frame');
    return frame;
  };
  const make = async (client: Tollgate, body: Parameters<Tollgate['embeds']['create']>[0], origins: string[]) => {
    await client.embeds.setOrigins({ origins });
    return client.embeds.create(body);
  };
  const tokenOf = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('token') ?? '';

  it('F340 shows the account’s own numbers in a product of another site, and is kept nowhere', async (world) => {
    const { consumer, origin, show, baseUrl } = world;
    const { url } = await make(consumer.client, { page: 'usage' }, [origin]);
    const { totals } = await consumer.client.usage.get();
    const page = await show(url);
    const frame = await frameOf(page);
    await frame
      .getByText(formatUsd(totals.charge_usd ?? Number.NaN))
      .first()
      .waitFor();
    await frame.getByRole('row', { name: /^web-search / }).waitFor();
    expect(frame.url()).toBe(url.replace(/#.*/, '')); // nor is it in the address
    expect(new URL(frame.url()).origin).toBe(new URL(baseUrl).origin);
    const { cookies, origins } = await page.context().storageState();
    expect({ cookies, origins }).toEqual({ cookies: [], origins: [] });
    expect(await frame.evaluate('JSON.stringify([history.state, document.referrer])')).not.toContain('tg_embed_');
    expect(await frame.getByRole('link').count()).toBe(0);
    expect(await page.evaluate('document.activeElement === document.body')).toBe(true); // the frame took no focus
    await page.context().close();
  });

  it('F340 shows what the tools earn, and opens an invoice by the keyboard', async ({
    builder,
    consumer,
    origin,
    show,
  }) => {
    const earnings = await show((await make(builder.client, { page: 'earnings' }, [origin])).url);
    const { totals } = await builder.client.usage.get({ role: 'builder' });
    await (
      await frameOf(earnings)
    )
      .getByText(formatUsd(totals.earning_usd ?? Number.NaN))
      .first()
      .waitFor();
    await earnings.context().close();
    const page = await show((await make(consumer.client, { page: 'invoices' }, [origin])).url);
    const frame = await frameOf(page);
    const [paid] = (await consumer.client.invoices.list().firstPage()).invoices;
    await frame.getByRole('button', { name: 'Draft of this month' }).press('Tab');
    await page.keyboard.press('Enter');
    await frame.getByRole('heading', { name: `Invoice ${paid?.number}` }).waitFor();
    await frame.getByRole('row', { name: /^web-search .*\$/ }).waitFor();
    await frame.getByRole('button', { name: 'All invoices' }).press('Enter');
    await frame.getByRole('row', { name: /2026-10 paid/ }).waitFor();
    await frame.getByRole('button', { name: 'Draft of this month' }).press('Enter');
    await frame.getByRole('heading', { name: 'Draft of 2026-11' }).waitFor();
    await page.context().close();
  });

  it('F340 stands in no frame of an origin that is not listed, and no other page in any', async (world) => {
    const { consumer, origin, show, baseUrl } = world;
    const { url } = await make(consumer.client, { page: 'usage' }, ['https://app.example.com']);
    const notFramed = async (address: string) => {
      const page = await show(address);
      const blocked = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
      await page.reload();
      await blocked;
      expect((await frameOf(page)).url()).toBe('chrome-error://chromewebdata/');
      await page.context().close();
    };
    await notFramed(url);
    await consumer.client.embeds.setOrigins({ origins: [origin] });
    for (const path of ['/app', '/app/sign-in', '/app/invoices', '/app/embed', '/docs', '/device'])
      await notFramed(baseUrl + path);
    const shown = await show(url);
    await (await frameOf(shown)).getByRole('heading', { name: 'Usage of this month' }).waitFor();
    await shown.context().close();
  });

  it('F340 says that it has ended once its time is over, and keeps the page around it as it was', async (world) => {
    const { consumer, origin, show, dataDir } = world;
    const { url } = await make(consumer.client, { page: 'usage' }, [origin]);
    const page = await show(url);
    const frame = await frameOf(page);
    await frame.getByRole('heading', { name: 'Usage of this month' }).waitFor();
    const end = `update auth.embed set expires_at = created_at`;
    await withOracleDatabase(ownerUrlOf(dataDir), (database) => database.query(end));
    await frame.getByRole('heading', { name: 'This page has ended' }).waitFor({ timeout: 30_000 });
    await frame.getByText('Reload the page around it').waitFor();
    const answer = await fetch(`${world.baseUrl}/v1/usage?role=consumer`, {
      headers: { authorization: `Bearer ${tokenOf(url)}` },
    });
    expect(answer.status).toBe(401);
    await page.reload();
    await frame.page().waitForSelector('iframe');
    await (await frameOf(page)).getByRole('heading', { name: 'This page has ended' }).waitFor();
    expect(await page.title()).toBe('A product');
    await page.context().close();
  });

  it('F340 has no use for the session of a browser that is signed in', async ({ consumer, show, ...world }) => {
    const origin = world.sameSite; // a frame of another site has no cookie anyway
    const { url } = await make(consumer.client, { page: 'usage' }, [origin]);
    const page = await signIn(world, consumer.email);
    await show(url.replace(/token=[^&]*/, 'token=tg_embed_nothing'), { page, origin });
    await (await frameOf(page)).getByRole('heading', { name: 'This page has ended' }).waitFor();
    await show(url, { page, origin });
    await (await frameOf(page)).getByRole('heading', { name: 'Usage of this month' }).waitFor();
    await page.context().close();
  });

  it('keeps nobody out, on a phone and on a desk, by day and by night', async (world) => {
    const { consumer, builder, baseUrl, browser } = world;
    const chosen = process.env['SCREENSHOTS'] === undefined ? looks.slice(0, 2) : looks;
    for (const [width, theme] of chosen) {
      const context = await browser.newContext({ viewport: { width, height: 900 } });
      const page = await context.newPage();
      for (const [who, embedded] of [
        [consumer, 'usage'],
        [builder, 'earnings'],
        [consumer, 'invoices'],
        [builder, 'usage'],
      ] as const) {
        await page.goto('about:blank');
        await page.goto((await who.client.embeds.create({ page: embedded, theme })).url);
        await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
        await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
        await expectUsable(page, `embed-${embedded}-${who === consumer ? 'consumer' : 'builder'}-${width}-${theme}`);
      }
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.goto(`${baseUrl}/app/embed/0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b`);
      await page.getByRole('heading', { name: 'This page has ended' }).waitFor();
      await expectUsable(page, `embed-ended-${width}-${theme}`);
      await context.close();
    }
  });
});
