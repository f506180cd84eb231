import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@jest/globals';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';
import { shoot } from '../chromium.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Notes what a page asks of whom, and what its policy refuses. */
export function watchPage(page: Page, baseUrl: string) {
  const strangers: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${baseUrl}/`)) strangers.push(request.url());
  });
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content.Security.Policy|violates/i.test(message.text()))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return {
    /** Asks this server alone, and does nothing that its policy forbids. */
    expectOwnRequests() {
      expect(strangers).toEqual([]);
      expect(complaints).toEqual([]);
    },
  };
}

interface Shown {
  readonly baseUrl: string;
  /** Paths of the console by the names of their pictures. */
  readonly pages: Readonly<Record<string, string>>;
  readonly width: number;
  readonly colorScheme: string;
}

/** Shows each page, and finds nothing that keeps people out. */
export async function showPages(page: Page, { baseUrl, pages, width, colorScheme }: Shown): Promise<void> {
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(`${baseUrl}/app${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined); // lists ask again for ever
    await expectUsable(page, `${name}-${width}-${colorScheme}`);
  }
}

/** Finds nothing that keeps people out, and that the page fits. */
export async function expectUsable(page: Page, name: string): Promise<void> {
  await shoot(page, name);
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
  await page.evaluate(axeSource); // the debugger runs it, which no policy of the page binds
  expect({ name, found: await seriousViolations(page) }).toEqual({ name, found: [] });
}

async function seriousViolations(page: Page): Promise<string[]> {
  const { violations } = await page.evaluate<axe.AxeResults>('axe.run()');
  const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
  return serious.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ target, any }) => [...target, any[0]?.message ?? ''].join(' ')).join(', ')}`,
  );
}
