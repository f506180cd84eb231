import type { Schemas } from '@tollgate/sdk/edge';
import { formatUsd } from '../patterns/format-usd.ts';

type Cap = NonNullable<Schemas['Pass']['cap']>;

const windows: Readonly<Record<Cap['window'], string>> = { day: 'a day', month: 'a month', total: 'in total' };

/** A cap in words: `$5.00 a day`. */
export function capInWords(cap: Cap | null): string {
  return cap === null ? 'no cap' : `${formatUsd(cap.amount_usd)} ${windows[cap.window]}`;
}

export function toolsInWords(tools: Schemas['Pass']['tools']): string {
  return tools === '*' ? 'all tools' : tools.join(', ');
}

/** `now` is the service's time, by which it judges. */
export function statusOf({ paused, expires_at: end }: Schemas['Pass'], now: string): 'active' | 'paused' | 'expired' {
  if (end !== null && end <= now) return 'expired'; // both as the service writes times: in UTC, of one length
  return paused ? 'paused' : 'active';
}
