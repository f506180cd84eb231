import type { HttpAnswer, HttpClient } from './http-client.ts';

export interface Pressed {
  readonly send: HttpClient;
  /** The address of the page, from `connect_url` or `setup_url`. */
  readonly url: string;
  readonly answer: string;
  readonly card?: string | undefined;
}

/** Presses a button of a hosted page, as a browser does: a form's POST to the page's own path. */
export function pressButton({ send, url, answer, card }: Pressed): Promise<HttpAnswer<Record<string, unknown>>> {
  const { pathname, searchParams } = new URL(url);
  const fields = { token: searchParams.get('token') ?? '', answer, ...(card !== undefined && { card }) };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return send('POST', pathname, { headers, rawBody: new URLSearchParams(fields).toString() });
}

/** Completes a hosted page. Throws if it does not lead on. */
export async function pressPage(send: HttpClient, url: string, { card }: Pick<Pressed, 'card'> = {}): Promise<void> {
  const { status } = await pressButton({ send, url, answer: 'complete', card });
  if (status !== 303) throw new Error(`${new URL(url).pathname}: ${status}`);
}
