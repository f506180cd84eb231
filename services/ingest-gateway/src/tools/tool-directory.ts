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
import { readChangedPrices, readToolPrices, type ChangedPriceRow, type ToolPriceRow } from './sql-tool-price.ts';
import { readChangedTools, readTools, type ToolRow } from './sql-tool-directory.ts';

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
}

const channel = 'tools_changed';
/** A new price takes effect an hour after it is written or later, so a read per minute covers a lost notification. */
const pricesEveryMs = 60_000;

/** Keeps every tool in memory. Notifications and polling bring changes; a tool that memory lacks is read by itself. */
export function createToolDirectory({
  database,
  notifications,
  clock,
  log,
}: ToolDirectoryDeps): ToolDirectory & Service {
  const tools = new Map<string, Tool>();
  let toolOverlap: Overlap | undefined;
  let priceOverlap: Overlap | undefined;
  let pricesDueMs = 0;

  /** Marks sequence numbers as seen only after their rows are in memory, so a failed read is repeated. */
  async function refresh(): Promise<void> {
    const nowMs = clock.monotonicMs();
    const changed = await readChangedTools(database, toolOverlap?.readAfter(nowMs) ?? 0n);
    const repriced = await readRepriced(nowMs);
    const known = new Set(changed.map((row) => row.tool_id));
    const others = await toolsOf(repriced.map((row) => row.tool_id).filter((toolId) => !known.has(toolId)));
    for (const tool of await withPrices([...changed, ...others])) tools.set(tool.toolId, tool);
    toolOverlap = seen(toolOverlap, { seq: greatest(changed), nowMs });
    priceOverlap = seen(priceOverlap, { seq: greatest(repriced), nowMs });
  }

  async function readRepriced(nowMs: number): Promise<ChangedPriceRow[]> {
    if (nowMs < pricesDueMs) return [];
    pricesDueMs = nowMs + pricesEveryMs; // before the read, so that a notification during it resets this time
    try {
      return await readChangedPrices(database, priceOverlap?.readAfter(nowMs) ?? 0n);
    } catch (error) {
      pricesDueMs = 0;
      throw error;
    }
  }

  async function toolsOf(toolIds: readonly string[]): Promise<ToolRow[]> {
    return toolIds.length === 0 ? [] : readTools(database, toolIds);
  }

  async function withPrices(rows: readonly ToolRow[]): Promise<Tool[]> {
    if (rows.length === 0) return [];
    const prices = await readToolPrices(
      database,
      rows.map((row) => row.tool_id),
    );
    const byTool = Map.groupBy(prices, (row) => row.tool_id);
    return rows.map((row) => toTool(row, byTool.get(row.tool_id) ?? []));
  }

  // Adds only tools that memory lacks: meanwhile the follower may have read a newer state of the others.
  const lookUp = createLookupOnMiss(async (toolIds) => {
    const found = await withPrices(await readTools(database, toolIds));
    for (const tool of found) if (!tools.has(tool.toolId)) tools.set(tool.toolId, tool);
    return new Map(found.map((tool) => [tool.toolId, tool]));
  });

  const follower = createFollower({ channel, notifications, log, refresh: coalesce(refresh) });
  return {
    name: 'tool-directory',
    async start() {
      notifications.on(channel, () => {
        pricesDueMs = 0;
      });
      await follower.start();
    },
    stop: follower.stop,
    readiness: async () => ({ tools: toolOverlap === undefined ? 'not read yet' : 'ok' }),
    known: (toolId) => tools.get(toolId),
    lookUp,
  };
}

function seen(overlap: Overlap | undefined, { seq, nowMs }: { seq: bigint; nowMs: number }): Overlap {
  if (overlap === undefined) return createOverlap(seq);
  overlap.seen(seq, nowMs);
  return overlap;
}

function greatest(rows: readonly { readonly changed_seq: bigint }[]): bigint {
  return rows.reduce((max, { changed_seq: seq }) => (seq > max ? seq : max), 0n);
}

function toTool(row: ToolRow, prices: readonly ToolPriceRow[]): Tool {
  return {
    toolId: row.tool_id,
    ownerId: row.owner_id,
    isArchived: row.is_archived,
    prices: prices.map(({ start_ms: startMs, end_ms: endMs, measures }) => ({ startMs, endMs, measures })),
  };
}
