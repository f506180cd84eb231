import type { Browser, Page } from 'playwright-core';
import { password } from './console-world.ts';

interface Place {
  readonly baseUrl: string;
  readonly browser: Browser;
}

/** A page of somebody who signed in, in a context of its own. */
export async function signIn({ browser, baseUrl }: Place, email: string, look: object = {}): Promise<Page> {
  const context = await browser.newContext(look);
  const page = await context.newPage();
  await page.goto(`${baseUrl}/app`);
  await fillSignIn(page, email);
  await page.getByRole('heading', { name: 'This month' }).waitFor();
  return page;
}

export async function fillSignIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
