import type { Schemas } from '@tollgate/sdk/edge';

type Row = Schemas['UsageRow'];

/** A tool in two weeks that follow each other; absent: it had no calls then. */
export interface Weeks {
  readonly tool: string;
  readonly now?: Row;
  readonly before?: Row;
}

/** Puts the rows of two weeks beside each other, the tool with the largest amount first. */
export function pairWeeks(now: readonly Row[], before: readonly Row[]): Weeks[] {
  const nowOf = new Map(now.map((row) => [row.tool_id ?? '', row]));
  const beforeOf = new Map(before.map((row) => [row.tool_id ?? '', row]));
  return [...new Set([...nowOf.keys(), ...beforeOf.keys()])]
    .map((tool) => pair(tool, nowOf.get(tool), beforeOf.get(tool)))
    .toSorted((left, right) => largest(right) - largest(left));
}

function pair(tool: string, now: Row | undefined, before: Row | undefined): Weeks {
  return { tool, ...(now && { now }), ...(before && { before }) };
}

function largest({ now, before }: Weeks): number {
  return Math.max(now?.charge_usd ?? 0, before?.charge_usd ?? 0);
}

/** The change in a word. */
export function changeOf({ now, before }: Weeks): 'new' | 'none any more' | 'more' | 'less' | 'the same' {
  if (before === undefined) return 'new';
  if (now === undefined) return 'none any more';
  const [after = 0, earlier = 0] = [now.charge_usd, before.charge_usd];
  if (after === earlier) return 'the same';
  return after > earlier ? 'more' : 'less';
}
