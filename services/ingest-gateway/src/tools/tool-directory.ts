import type { Clock } from '@tollgate/kernel/clock';
import { coalesce } from '@tollgate/runtime/timing/coalesce';
import { createFollower } from '@tollgate/runtime/auth/follow-changes';
import { createLookupOnMiss } from '@tollgate/runtime/auth/lookup-on-miss';
import { createOverlap, type Overlap } from '@tollgate/runtime/auth/overlap';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { Queryable } from '@tollgate/database/database';
import type { Notifications } from '@tollgate/database/notifications';
import type { Tool } from './tool.ts';
import { createToolMemory } from './tool-memory.ts';
import { readChangedPrices, readToolPrices, type ChangedPriceRow, type ToolPriceRow } from './sql-tool-price.ts';
import { readCatalogueSeq, readChangedTools, readNewestTools, readTools, type ToolRow } from './sql-tool-directory.ts';

export interface ToolDirectory {
  /** The tool as memory has it, at most a second old while PostgreSQL can be reached. */
  known(toolId: string): Tool | undefined;
  /** Reads the tool from PostgreSQL, after the call. Undefined: no such tool exists. Rejects with `unavailable`. */
  lookUp(toolId: string): Promise<Tool | undefined>;
}

export interface ToolDirectoryDeps {
  /** Its role may read billing's directory views. */
  readonly database: Queryable;
  readonly notifications: Pick<Notifications, 'on'>;
  readonly clock: Clock;
  readonly log: Logger;
  /** How many tools are in memory, at some 500 bytes each. Beyond it the least recently used is dropped. */
  readonly toolsMax: number;
}

const channel = 'tools_changed';
/** Rows per statement, so that a change of the whole catalogue takes little memory. */
const pageRows = 5_000;

/**
 * Keeps the tools in memory that were used or changed last. Notifications and polling bring changes; a tool that memory
 * lacks is read by itself. Both are numbered by one sequence. Changes of the last seconds are read again (`overlap.ts`), so
 * a look-up that put an older state into memory is corrected by the next poll. A notification that names a tool says that
 * it was archived: it is forgotten at once.
 */
export function createToolDirectory(deps: ToolDirectoryDeps): ToolDirectory & Service {
  const { database, notifications, clock, log, toolsMax } = deps;
  const tools = createToolMemory(toolsMax);
  let overlap: Overlap | undefined;

  /** Marks sequence numbers as seen only after their rows are in memory, so a failed read is repeated. */
  async function refresh(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const since = tools.now();
    const seq = await readCatalogueSeq(database);
    if (overlap === undefined) {
      await readNewest(since);
      overlap = createOverlap(seq);
      return;
    }
    const after = overlap.readAfter(nowMs);
    await eachPage(
      after,
      (from) => readChangedTools(database, from, pageRows),
      (rows) => put(rows, since),
    );
    await eachPage(
      after,
      (from) => readChangedPrices(database, from, pageRows),
      (rows) => reprice(rows, since),
    );
    overlap.seen(seq, nowMs);
  }

  /** The newest tools are the likeliest to be used; what was used before a restart is looked up again. */
  async function readNewest(since: number): Promise<void> {
    const newest = await readNewestTools(database, toolsMax);
    for (let to = newest.length; to > 0; to -= pageRows) await put(newest.slice(Math.max(0, to - pageRows), to), since);
  }

  async function put(rows: readonly ToolRow[], since: number): Promise<void> {
    for (const tool of await withPrices(database, rows)) tools.put(tool, since);
  }

  /** A tool that memory lacks is read with its prices when it is used. */
  async function reprice(rows: readonly ChangedPriceRow[], since: number): Promise<void> {
    const known = new Set(rows.map((row) => row.tool_id).filter((toolId) => tools.has(toolId)));
    if (known.size > 0) await put(await readTools(database, [...known]), since);
  }

  // Adds only tools that memory lacks: meanwhile the follower may have read a newer state of the others.
  const lookUp = createLookupOnMiss(async (toolIds) => {
    const since = tools.now();
    const found = await withPrices(database, await readTools(database, toolIds));
    for (const tool of found) if (!tools.has(tool.toolId)) tools.put(tool, since);
    return new Map(found.map((tool) => [tool.toolId, tool]));
  });

  const follower = createFollower({ channel, notifications, log, refresh: coalesce(refresh) });
  return {
    name: 'tool-directory',
    async start() {
      notifications.on(channel, (toolId) => {
        if (toolId !== '') tools.forget(toolId); // a call of it reads it, until the refresh has
      });
      await follower.start();
    },
    stop: follower.stop,
    readiness: () => ({ tools: follower.state() }),
    known: (toolId) => tools.get(toolId),
    lookUp,
  };
}

/** Reads page after page by the number of the change, and does the work for each page. */
async function eachPage<Row extends { readonly changed_seq: bigint }>(
  after: bigint,
  read: (after: bigint) => Promise<Row[]>,
  work: (rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let from: bigint | undefined = after; from !== undefined;) {
    const rows: Row[] = await read(from);
    await work(rows);
    from = rows.length < pageRows ? undefined : rows.at(-1)?.changed_seq;
  }
}

async function withPrices(database: Queryable, rows: readonly ToolRow[]): Promise<Tool[]> {
  if (rows.length === 0) return [];
  const toolIds = rows.map((row) => row.tool_id);
  const byTool = Map.groupBy(await readToolPrices(database, toolIds), (row) => row.tool_id);
  return rows.map((row) => toTool(row, byTool.get(row.tool_id) ?? []));
}

function toTool(row: ToolRow, prices: readonly ToolPriceRow[]): Tool {
  return {
    toolId: row.tool_id,
    ownerId: row.owner_id,
    isArchived: row.is_archived,
    resource: row.resource,
    defaultMax: row.default_max,
    prices: prices.map(({ start_ms: startMs, end_ms: endMs, price_id: priceId, measures, price }) => {
      return { startMs, endMs, priceId, measures, price };
    }),
  };
}
