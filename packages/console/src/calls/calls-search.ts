import { readSearch } from '../patterns/read-search.ts';

/** The filters of the list of calls, as the address has them. */
export interface CallsSearch {
  readonly tool_id?: string;
  readonly pass_id?: string;
  readonly from?: string;
  readonly to?: string;
  readonly cursor?: string;
}

const names = ['tool_id', 'pass_id', 'from', 'to', 'cursor'] as const;

export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  return readSearch(search, names);
}

const dayMs = 86_400_000;

/** A day of the filter is UTC's, as months and caps are: from its first moment. */
export function dayStart(day: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00.000Z` : undefined;
}

/** The moment after the day, which the filter does not include. */
export function dayEnd(day: string): string | undefined {
  const start = dayStart(day);
  return start && new Date(Date.parse(start) + dayMs).toISOString();
}

/** The day that begins at a time of the filter. */
export function dayOf(from: string | undefined): string {
  return from?.slice(0, 10) ?? '';
}

/** The last day before a time of the filter. */
export function dayBefore(to: string | undefined): string {
  return to === undefined || Number.isNaN(Date.parse(to)) ? '' : dayOf(new Date(Date.parse(to) - 1).toISOString());
}
