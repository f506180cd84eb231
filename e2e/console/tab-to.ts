import type { Page } from 'playwright-core';

/** Presses Tab until the field with this label, or the link of this name, has the focus, which must be seen. */
export async function tabTo(page: Page, label: string): Promise<void> {
  const link = page.getByRole('link', { name: label, exact: true });
  const field = page.getByLabel(label, { exact: true }).or(link).first(); // a list of choices has the same label
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    if ((await field.and(page.locator(':focus-visible')).count()) > 0) return;
  }
  throw new Error(`Tab does not lead to ${label}`);
}
