import { toIso } from '@tollgate/kernel/clock';
import type { HttpClient } from './http-client.ts';

const path = '/v1/sandbox/clock';

/** Moves the sandbox's clock to the next midnight (UTC) that begins this day of a month. */
export async function moveClockToDay(send: HttpClient, token: string, day: number): Promise<void> {
  const today = new Date((await send<{ now: string }>('GET', path, { token })).body.now);
  const month = day > today.getUTCDate() ? today.getUTCMonth() : today.getUTCMonth() + 1;
  const now = toIso(Date.UTC(today.getUTCFullYear(), month, day));
  const { status, text } = await send('POST', path, { token, body: { now } });
  if (status >= 300) throw new Error(`POST ${path}: ${status} ${text}`);
}
