import { readFileSync } from 'node:fs';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { formatUsd } from '../../packages/console/src/patterns/format-usd.ts';
import { describeWithChromium, looks } from '../chromium.ts';
import { itWith } from '../it-with.ts';
import { type MonthWorld, openMonthWorld, type Someone } from './month-world.ts';
import { keepPicture } from './keep-picture.ts';
import { signIn } from './sign-in.ts';
import { showPages, watchPage } from './watch-page.ts';

/** The clock of the service stands at noon on 21 November 2026. */
describeWithChromium('the pictures of the console', () => {
  const it = itWith(async (undo) => openMonthWorld(undo), 300_000);

  it('draw the month of a consumer, and have the service’s own numbers in a table beside each', async (world) => {
    const page = await opened(world, world.consumer);
    const watched = watchPage(page, world.baseUrl);
    const forecast = await world.consumer.client.spending.forecast();
    const estimates = [forecast.estimated_usd, forecast.estimated_low_usd, forecast.estimated_high_usd];
    const [estimated = '', low = '', high = ''] = estimates.map((usd) => formatUsd(usd ?? Number.NaN));
    await page.getByText(`About ${estimated}. Four of five such months end between ${low} and ${high}.`).waitFor();
    await isDrawn(page);
    await keepPicture(page, 'console-overview');
    await page.getByText('The same as a table').nth(1).click();
    await page
      .getByRole('row', { name: new RegExp(`^Nov 30 – ${escaped(low)} ${escaped(estimated)} ${escaped(high)}$`) })
      .waitFor();
    expect(await page.locator('.recharts-bar-rectangle path').count()).toBeGreaterThan(20);
    const { usage: byTool } = await world.consumer.client.usage.get({ group_by: ['tool_id'] });
    for (const { tool_id: tool, calls, failures, charge_usd: usd = 0 } of byTool)
      await page
        .getByRole('row', {
          name: new RegExp(`^${tool} ${calls.toLocaleString('en')} ${failures} ${escaped(formatUsd(usd))}$`),
        })
        .waitFor();
    await page.getByRole('row', { name: /^translate – \$\d\S* new$/ }).waitFor();
    watched.expectOwnRequests();
    await page.context().close();
  });

  it('open what a bar is made of, by the mouse on it and by the keyboard in its table', async (world) => {
    const page = await opened(world, world.consumer);
    await isDrawn(page); // until then, a bar moves under the mouse
    await page.locator('.recharts-bar-rectangle').nth(1).click();
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    expect(new URL(page.url()).search).toBe(
      '?granularity=hour&from=2026-11-02T00%3A00%3A00.000Z&to=2026-11-03T00%3A00%3A00.000Z',
    );
    await page.goBack();
    await page.getByText('The same as a table').first().press('Enter');
    await page.getByRole('link', { name: 'Nov 2', exact: true }).press('Enter');
    await page.getByRole('heading', { name: 'Usage' }).waitFor();
    await page.getByRole('row', { name: /^Nov 2, 12:00/ }).waitFor();
    await page.context().close();
  });

  it('are loaded by pages that show one, and by no other', async (world) => {
    const page = await opened(world, world.consumer, '/passes');
    await page.getByText('research agent').waitFor();
    const loaded = async () =>
      (await page.evaluate<string[]>('performance.getEntriesByType("resource").map((entry) => entry.name)')).filter(
        (name) => /said-/.test(name),
      );
    expect(await loaded()).toEqual([]);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('What the month will come to').waitFor();
    await page.locator('.recharts-bar-rectangle').first().waitFor();
    expect((await loaded()).length).toBeGreaterThan(0);
    await page.context().close();
  });

  it('explore usage by a question that stands in the address, and save the same as CSV', async (world) => {
    const page = await opened(world, world.consumer, '/usage?by=tag&tag=team');
    const { usage: byTeam } = await world.consumer.client.usage.get({ group_by: ['tag.team'] });
    expect(byTeam).toHaveLength(2);
    for (const { tags, charge_usd: usd = 0 } of byTeam)
      await page
        .getByRole('row', { name: new RegExp(`^${tags?.['team'] ?? 'no team'} .*${escaped(formatUsd(usd))}$`) })
        .waitFor();
    await page.getByLabel('A row for each').selectOption('Hour');
    await page.getByText(/^Rows 1 to 100 of \d+$/).waitFor({ state: 'detached' });
    await page.getByLabel('Split by').selectOption('Tool and pass');
    await page.getByLabel('A row for each').selectOption('Day');
    await page.getByRole('row', { name: /^Nov 20 web-search research agent/ }).waitFor();
    expect(page.url()).toContain('by=tool_id%2Cpass_id');
    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    const lines = readFileSync(await (await saving).path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    const { usage } = await world.consumer.client.usage.get({ group_by: ['tool_id', 'pass_id'], granularity: 'day' });
    expect(lines[0]).toBe('start,tool_id,pass_id,calls,successes,failures,duration_ms,charge_usd');
    expect(lines.slice(1)).toEqual(
      usage.map((row) =>
        [
          row.start,
          row.tool_id,
          row.pass_id ?? '',
          row.calls,
          row.successes,
          row.failures,
          row.duration_ms,
          row.charge_usd,
        ].join(','),
      ),
    );
    await page.context().close();
  });

  it('filter invoices by the address, and draw what paid one', async (world) => {
    const page = await opened(world, world.consumer, '/invoices?status=open');
    await page.getByText('No invoices fit the filter.').waitFor();
    await page.getByLabel('State').selectOption('paid');
    await page
      .getByRole('row', { name: /2026-10 paid/ })
      .getByRole('link')
      .click();
    const [paid] = (await world.consumer.client.invoices.list().firstPage()).invoices;
    const sum = formatUsd(paid?.card_paid_usd ?? Number.NaN);
    await page
      .getByRole('img', { name: /The path of the money/ })
      .getByText(`Paid by card ${sum}`)
      .waitFor();
    await page.getByText('The same as a table').click();
    await page.getByRole('row', { name: `Paid by card ${sum}` }).waitFor();
    await page.context().close();
  });

  it('draw what a builder earns, and keep nobody out', async (world) => {
    const page = await opened(world, world.builder, '/revenue');
    const { totals } = await world.builder.client.usage.get({ role: 'builder' });
    await page
      .getByText(formatUsd(totals.earning_usd ?? Number.NaN))
      .first()
      .waitFor();
    await page.getByRole('row', { name: /^web-search 1,\d+ \d+$/ }).waitFor();
    await page.context().close();
    const [invoice] = (await world.consumer.client.invoices.list().firstPage()).invoices;
    const consumerPages = {
      ...pagesOf(world),
      'invoice-paid': `/invoices/${invoice?.id}`,
      'invoices-paid': '/invoices',
    };
    const chosen = process.env['SCREENSHOTS'] === undefined ? looks.slice(0, 2) : looks;
    for (const [width, colorScheme] of chosen) {
      const look = { viewport: { width, height: 900 }, colorScheme };
      for (const [who, pages] of [
        [world.consumer, consumerPages],
        [world.builder, builderPages],
      ] as const) {
        const seen = await opened(world, who, '', look);
        const watched = watchPage(seen, world.baseUrl);
        await showPages(seen, { baseUrl: world.baseUrl, pages, width, colorScheme });
        watched.expectOwnRequests();
        await seen.context().close();
      }
    }
  }, 600_000);
});

const pagesOf = ({ passId }: MonthWorld) => ({
  'overview-month': '',
  'usage-days': '/usage?granularity=day',
  'usage-tags': '/usage?by=tag&tag=team',
  'usage-none': '/usage?tool_id=nothing',
  'usage-refused': '/usage?from=yesterday',
  'pass-month': `/passes/${passId}`,
});

const builderPages = { 'revenue-month': '/revenue', 'usage-earned': '/usage?role=builder&by=tool_id,consumer_id' };

function escaped(text: string): string {
  return text.replace(/[.$]/g, String.raw`\$&`);
}

async function opened(world: MonthWorld, { email }: Someone, path = '', look: object = {}) {
  const page = await signIn(world, email, look);
  if (path !== '') await page.goto(`${world.baseUrl}/app${path}`);
  return page;
}

/** All pictures of the overview stand where they stay. */
async function isDrawn(page: Page): Promise<void> {
  await page.locator('.recharts-bar-rectangle path').nth(20).waitFor();
  await page.getByText('Spent by pass').waitFor();
  await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined); // lists ask again for ever
}
