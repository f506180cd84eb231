import { toIso } from '@tollgate/kernel/clock';
import { periodBounds } from '@tollgate/kernel/period';

// The names do not come from Intl: an invoice must read the same on every machine, whatever data its Intl has.
const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** "5 December 2026", in UTC. */
export function formatDay(ms: number): string {
  const { year, month, day } = partsOf(ms);
  return `${day} ${month} ${year}`;
}

/** "2026-09" → "September 2026". */
export function formatPeriod(period: string): string {
  const { year, month } = partsOf(periodBounds(period).start);
  return `${month} ${year}`;
}

/** "2026-09" → "1 to 30 September, UTC". */
export function formatDays(period: string): string {
  const { month, day } = partsOf(periodBounds(period).end - 1);
  return `1 to ${day} ${month}, UTC`;
}

function partsOf(ms: number): { readonly year: number; readonly month: string; readonly day: number } {
  const [year = 0, month = 0, day = 0] = toIso(ms).slice(0, 10).split('-').map(Number);
  return { year, month: months[month - 1] ?? '', day };
}
