import { readSearch } from '../patterns/read-search.ts';

/** Reads the filters of a list from an address. */
export function filtersOf<const Name extends string>(...names: readonly Name[]) {
  return (search: Record<string, unknown>) => readSearch(search, names);
}
