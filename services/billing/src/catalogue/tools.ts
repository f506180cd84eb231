import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { requirePriceAtMost, type PriceBounds } from './price-bounds.ts';
import { boundOrNull, type PricedTool, toolNotFound, ownToolNotFound } from './tool.ts';
import type { CatalogueTransaction, ListPage, ToolListQuery, OwnedTool, ToolChanges } from './catalogue.ts';

export interface ToolRegistration {
  readonly ownerId: string;
  readonly slug: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly price: Price;
  readonly defaultMax?: AuthorizedMax | undefined;
}

export interface ToolsDeps {
  readonly clock: Clock;
  readonly toolsMax: number;
  readonly priceBounds: PriceBounds;
}

export interface ToolDescription extends OwnedTool {
  readonly changes: ToolChanges;
}

/** Creates what can be asked of tools. Each verb runs in the catalogue's transaction. */
export function createTools(deps: ToolsDeps) {
  const { clock } = deps;

  return { registerTool: createRegisterTool(deps), findTool, listTools, changeTool, archiveTool };

  /** Finds any account's tool. Throws `tool_not_found`. */
  async function findTool({ tools }: CatalogueTransaction, slug: string): Promise<PricedTool> {
    const tool = await tools.find(slug, clock.now());
    if (tool === undefined) throw toolNotFound(slug);
    return tool;
  }

  /** Lists tools with their prices in force, newest first. */
  async function listTools(
    { tools }: CatalogueTransaction,
    query: Omit<ToolListQuery, 'nowMs'>,
  ): Promise<ListPage<PricedTool>> {
    return tools.list({ ...query, nowMs: clock.now() });
  }

  /** Changes a tool's name, description or default bound. Throws `tool_not_found`, also for another owner's tool. */
  async function changeTool(
    tx: CatalogueTransaction,
    { changes, ...owned }: ToolDescription,
    by: Actor,
  ): Promise<PricedTool> {
    const { tools } = tx;
    const isChanged = await tools.change(owned, changes);
    const tool = isChanged ? await tools.find(owned.slug, clock.now()) : undefined;
    if (tool === undefined) throw ownToolNotFound(owned.slug);
    const object = { kind: 'tool', id: owned.slug };
    await recordAct(tx, by, { action: 'tool.changed', accountId: owned.ownerId, object });
    return tool;
  }

  /**
   * Archives a tool for good. Archiving it again returns the tool unchanged, so a client may repeat a request whose
   * answer it missed. Throws `tool_not_found`, also for another owner's tool.
   */
  async function archiveTool(tx: CatalogueTransaction, owned: OwnedTool, by: Actor): Promise<PricedTool> {
    const { tools } = tx;
    const nowMs = clock.now();
    const tool = await tools.find(owned.slug, nowMs);
    if (tool === undefined || tool.ownerId !== owned.ownerId) throw ownToolNotFound(owned.slug);
    if (tool.archivedAtMs !== null) return tool;
    await tools.archive(owned, nowMs);
    const object = { kind: 'tool', id: owned.slug };
    await recordAct(tx, by, { action: 'tool.archived', accountId: owned.ownerId, object });
    return { ...tool, archivedAtMs: nowMs };
  }
}

export type Tools = ReturnType<typeof createTools>;

/**
 * Registers a tool with its first price. Throws `slug_taken` if any account has or had the slug, `too_many_tools` if the
 * account has as many as it may, and `price_too_high`.
 */
function createRegisterTool({ clock, toolsMax, priceBounds }: ToolsDeps) {
  return async function registerTool(
    tx: CatalogueTransaction,
    registration: ToolRegistration,
    by: Actor,
  ): Promise<PricedTool> {
    const { tools } = tx;
    const { ownerId, slug, name, description = null, price, defaultMax } = registration;
    if ((await tools.count(ownerId)) >= toolsMax)
      throw new AppError('too_many_tools', `An account has at most ${toolsMax} tools, archived ones included.`);
    requirePriceAtMost(price, priceBounds);
    const createdAtMs = clock.now();
    const tool = {
      slug,
      ownerId,
      name,
      description,
      defaultMax: boundOrNull(defaultMax),
      archivedAtMs: null,
      createdAtMs,
    };
    const first = { id: uuidV7(createdAtMs), slug, effectiveFromMs: null, price, createdAtMs };
    const isAdded = await tools.add(tool, first);
    if (!isAdded) throw new AppError('slug_taken', `The slug "${slug}" is taken. A slug is never given out twice.`);
    await recordAct(tx, by, { action: 'tool.created', accountId: ownerId, object: { kind: 'tool', id: slug } });
    return { ...tool, price };
  };
}
