import { DemoError } from './demo-error.ts';

/** Opens the page, presses its first button and follows it back, as a person in a browser would. */
export async function completeHostedPage(url: string): Promise<void> {
  const page = await fetch(url);
  const html = await page.text();
  const fields = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)];
  const button = /<button [^>]*name="(\w+)" value="(\w+)"/.exec(html);
  if (!page.ok || !button) throw new DemoError(`the page ${new URL(url).pathname} has no button: ${page.status}`);
  const pressed = [...fields, button].map(([, name = '', value = '']): [string, string] => [name, value]);
  const answer = await fetch(page.url, { method: 'POST', redirect: 'manual', body: new URLSearchParams(pressed) });
  if (answer.status !== 303) throw new DemoError(`the page ${new URL(url).pathname} led nowhere: ${answer.status}`);
}
