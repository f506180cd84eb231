import type { HttpClient } from '@tollgate/testkit/http-client';

/** Presses the button of a hosted page, as a browser does. */
export async function pressPage(client: HttpClient, url: string, more: Record<string, string> = {}): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const fields = { token: searchParams.get('token') ?? '', answer: 'complete', ...more };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { status } = await client('POST', pathname, { headers, rawBody: new URLSearchParams(fields).toString() });
  if (status !== 303) throw new Error(`${pathname}: ${status}`);
}
