import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { requirePriceAtMost, type PriceBounds } from './price-bounds.ts';
import type { ProveResource } from './prove-resource.ts';
import { claimResource, findResourceOwner, type ResourceClaim } from './sql-resource.ts';
import { boundOrNull, type PricedTool, toolArchived, toolNotFound, ownToolNotFound, resourceTaken } from './tool.ts';
import type { Catalogue, CatalogueTransaction, ListPage, ToolListQuery, OwnedTool, ToolChanges } from './catalogue.ts';

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
  readonly proveResource: ProveResource;
}

export interface ToolDescription extends OwnedTool {
  readonly changes: ToolChanges;
}

/** Creates what can be asked of tools. Each verb runs in the catalogue's transaction. */
export function createTools(deps: ToolsDeps) {
  const { clock } = deps;

  const checkResource = createCheckResource(deps);
  return { registerTool: createRegisterTool(deps), findTool, listTools, checkResource, changeTool, archiveTool };

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

  /**
   * Changes what is given of a tool. A resource must have been checked before. Throws `tool_not_found`, also for another
   * owner's tool, and what `checkResource` throws if things have changed since.
   */
  async function changeTool(
    tx: CatalogueTransaction,
    { changes, ...owned }: ToolDescription,
    by: Actor,
  ): Promise<PricedTool> {
    const { tools } = tx;
    const { resource = null } = changes;
    if (resource !== null && !(await claimResource(tx, { resource, ownerId: owned.ownerId })))
      throw resourceTaken(resource);
    const isChanged = await tools.change(owned, changes);
    const tool = isChanged ? await tools.find(owned.slug, clock.now()) : undefined;
    if (tool === undefined) throw ownToolNotFound(owned.slug);
    if (resource !== null && tool.archivedAtMs !== null) throw toolArchived();
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
    return { ...tool, resource: null, archivedAtMs: nowMs };
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
      resource: null,
      archivedAtMs: null,
      createdAtMs,
    };
    const first = { id: uuidV7(createdAtMs), slug, effectiveFromMs: null, price, createdAtMs };
    const isAdded = await tools.add(tool, first);
    const added = isAdded ? await tools.find(slug, createdAtMs) : undefined;
    if (added === undefined)
      throw new AppError('slug_taken', `The slug "${slug}" is taken. A slug is never given out twice.`);
    await recordAct(tx, by, { action: 'tool.created', accountId: ownerId, object: { kind: 'tool', id: slug } });
    return { ...tool, price, soldBy: added.soldBy };
  };
}

/**
 * Asks a server whether it is the account's, before a tool names it. The call may take seconds, so it stands outside of any
 * transaction. A resource that a tool of the account names is proved already. Throws `resource_taken`,
 * `resource_not_proved`, `tool_archived` and `tool_not_found`.
 */
function createCheckResource({ clock, proveResource }: ToolsDeps) {
  return async function checkResource(catalogue: Catalogue, slug: string, claim: ResourceClaim): Promise<void> {
    const { resource, ownerId } = claim;
    const holder = await catalogue.transaction(
      async (tx) => {
        const tool = await tx.tools.find(slug, clock.now());
        if (tool === undefined || tool.ownerId !== ownerId) throw ownToolNotFound(slug);
        if (tool.archivedAtMs !== null) throw toolArchived();
        return findResourceOwner(tx, resource);
      },
      { accountId: ownerId },
    );
    if (holder === undefined) await proveResource(claim);
    else if (holder !== ownerId) throw resourceTaken(resource);
  };
}
