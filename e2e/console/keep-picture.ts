import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

const folder = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));
const bytesMax = 100_000;

/** A picture of what the window shows, small enough for a README. PICTURES=true writes it into docs/pictures. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const path = `${folder}${name}.png`;
  await page.evaluate('scrollTo(0, 0)');
  const picture = await page.screenshot({ animations: 'disabled', scale: 'css' });
  expect(picture.byteLength).toBeLessThanOrEqual(bytesMax);
  if (process.env['PICTURES'] !== undefined) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, picture);
  }
  expect(existsSync(path)).toBe(true);
}
