import { queryOptions } from '@tanstack/react-query';
import type { OperationId } from '@tollgate/sdk/edge';
import { type Asked, call } from './call.ts';
import { hoursBefore } from '../patterns/day.ts';
import { isMissing } from './problem.ts';

/** A list that is looked at is asked for again after so long: a new call shows within a second. */
const lookAgainMs = 700;
/** Sums of a month cost more than a list, and nobody waits for one call in them. */
export const sumAgainMs = 3_000;

/** A question to the API. Its answer is kept by the operation and what fills it. */
export function ask<Id extends OperationId>(
  id: Id,
  filling: { readonly path?: Readonly<Record<string, string>>; readonly query?: Asked<Id> } = {},
) {
  return queryOptions({ queryKey: [id, filling], queryFn: ({ signal }) => call(id, { ...filling, signal }) });
}

/** The same, asked again and again while the page is looked at. */
export function follow<Id extends OperationId>(id: Id, filling: Parameters<typeof ask<Id>>[1] = {}) {
  return { ...ask(id, filling), refetchInterval: lookAgainMs };
}

/** As `follow`, for sums. */
export function followSum<Id extends OperationId>(id: Id, filling: Parameters<typeof ask<Id>>[1] = {}) {
  return { ...ask(id, filling), refetchInterval: sumAgainMs };
}

/** Questions of the first page begin before it is drawn. An answer so young is not asked for again when it is. */
const youngMs = 2_000;

/** The account that is signed in. */
export const account = { ...ask('getAccount'), staleTime: youngMs };

/** A question whose answer may be that there is none, which is null. */
export function askOrNull<Id extends OperationId>(id: Id) {
  return queryOptions({
    queryKey: [id],
    queryFn: ({ signal }) =>
      call(id, { signal }).catch((error: unknown) => {
        if (isMissing(error)) return null;
        throw error;
      }),
  });
}

/** The budget; null for none. */
export const budget = { ...askOrNull('getBudget'), staleTime: youngMs };

const weekHours = 168;

/** The sums by tool of the seven days before this time, and of the seven days before them. */
export function weeksByTool(through: string) {
  const [start, middle, end] = [2 * weekHours, weekHours, 0].map((hours) => hoursBefore(through, hours));
  const week = (from: string | undefined, to: string | undefined) => ({
    ...ask('getUsage', { query: { from, to, group_by: ['tool_id'] } }),
    staleTime: youngMs,
  });
  return { last: week(middle, end), before: week(start, middle) };
}

/** The sums of this month by tool. */
export const monthByTool = { ...followSum('getUsage', { query: { group_by: ['tool_id'] } }), staleTime: youngMs };

/** The first page of the public catalogue: what passes may be for. */
export const catalogue = ask('listTools', { query: { owner: 'all', limit: 100 } });
