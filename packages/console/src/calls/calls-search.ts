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
