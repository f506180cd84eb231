import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from '@tollgate/testkit/servers/describe-where';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { Undo } from './it-with.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

export const describeWithChromium = await describeWhere('Chromium', refuseWithoutChromium);

export async function refuseWithoutChromium(): Promise<void> {
  if (!existsSync(executablePath)) throw new Error('Chromium is not installed; CHROMIUM names its path');
}

export async function openChromium(undo: Undo): Promise<Browser> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  undo(() => browser.close());
  return browser;
}

/** A phone and a desk, each by day and by night. The first two have each of these once. */
export const looks = [
  [390, 'light'],
  [1280, 'dark'],
  [390, 'dark'],
  [1280, 'light'],
] as const;

/** A picture of the whole page, in the folder that SCREENSHOTS names. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
