import type { Fields } from './read-fields.ts';
import { noSuch } from './stripe-refusal.ts';

interface Listed {
  readonly id: string;
  readonly created: number;
}

/**
 * A page of a list, as Stripe gives it: newest first, ten if not asked for more, the rest after the last id. Of `filters`,
 * those among the fields must be as the object's.
 */
export function listNewestFirst<Filter extends string = never>(
  items: Iterable<Listed & Readonly<Record<NoInfer<Filter>, string | null>>>,
  fields: Fields,
  filters: readonly Filter[] = [],
) {
  const since = Number(fields['created[gte]'] ?? 0);
  const until = Number(fields['created[lt]'] ?? Infinity);
  const listed = [...items]
    .toReversed()
    .filter(({ created }) => created >= since && created < until)
    .filter((item) => filters.every((name) => fields[name] === undefined || item[name] === fields[name]));
  const from = startOf(listed, fields['starting_after']);
  const limit = Number(fields['limit'] ?? 10);
  return { object: 'list', has_more: listed.length > from + limit, data: listed.slice(from, from + limit) };
}

function startOf(listed: readonly Listed[], after: string | undefined): number {
  if (after === undefined) return 0;
  const place = listed.findIndex(({ id }) => id === after);
  if (place < 0) throw noSuch('object', after, 'starting_after');
  return place + 1;
}
