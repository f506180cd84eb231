import type { Price } from '@tollgate/contracts/price';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { requirePriceStart } from './price-start.ts';
import type { PriceVersion } from './price-version.ts';
import { ownToolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction, OwnedTool } from './catalogue.ts';

export interface NewPrice extends OwnedTool {
  readonly price: Price;
  readonly effectiveFromMs: number;
}

/**
 * Adds a price version to a tool of its owner. Throws `tool_not_found`, also for another owner's tool; `invalid_request`
 * for a beginning less than an hour ahead; `tool_archived`; `too_many_price_versions`; and `effective_from_taken`.
 */
export function createAddPrice({ clock, versionsMax }: { readonly clock: Clock; readonly versionsMax: number }) {
  return async function addPrice({ tools, prices }: CatalogueTransaction, request: NewPrice): Promise<PriceVersion> {
    const { ownerId, slug, price, effectiveFromMs } = request;
    const nowMs = clock.now();
    const tool = await tools.find(slug, nowMs);
    if (tool === undefined || tool.ownerId !== ownerId) throw ownToolNotFound(slug);
    requirePriceStart(effectiveFromMs, nowMs);
    if (tool.archivedAtMs !== null)
      throw new AppError('tool_archived', 'The tool is archived; a new price would rate no call.');
    if ((await prices.count(slug)) >= versionsMax) throw tooManyVersions(versionsMax);
    const version = { id: uuidV7(nowMs), slug, effectiveFromMs, price, createdAtMs: nowMs };
    if (!(await prices.add(version))) throw hourTaken(effectiveFromMs);
    return version;
  };
}

export type AddPrice = ReturnType<typeof createAddPrice>;

function tooManyVersions(versionsMax: number): AppError {
  const message = `A tool has at most ${versionsMax} price versions. Let the prices in force stand, or register another tool.`;
  return new AppError('too_many_price_versions', message);
}

/** A version is never replaced: consumers may have read it, and gateways may have it in memory. */
function hourTaken(effectiveFromMs: number): AppError {
  const message = `A price from ${toIso(effectiveFromMs)} on exists already, and versions never change. Choose another hour.`;
  return new AppError('effective_from_taken', message);
}
