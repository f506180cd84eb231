import { toIso } from '@tollgate/kernel/clock';

/** "12.30 USD", from the number of the API. */
export function formatUsd(usd: number): string {
  const [whole = '', decimals = ''] = String(usd).split('.');
  return `${whole}.${decimals.padEnd(2, '0')} USD`;
}

/** "2026-12-02 00:00 UTC". */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

export function formatMoment(ms: number): string {
  return formatTime(toIso(ms));
}
