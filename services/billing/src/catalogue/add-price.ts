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

export function createAddPrice({ clock }: { clock: Clock }) {
  return async function addPrice({ tools, prices }: CatalogueTransaction, request: NewPrice): Promise<PriceVersion> {
    const { ownerId, slug, price, effectiveFromMs } = request;
    const nowMs = clock.now();
    const tool = await tools.find(slug, nowMs);
    if (tool === undefined || tool.ownerId !== ownerId) throw ownToolNotFound(slug);
    requirePriceStart(effectiveFromMs, nowMs);
    if (tool.archivedAtMs !== null)
      throw new AppError('tool_archived', 'The tool is archived; no call will ever be rated by it.');
    const version = { id: uuidV7(nowMs), slug, effectiveFromMs, price, createdAtMs: nowMs };
    if (!(await prices.add(version))) throw hourTaken(effectiveFromMs);
    return version;
  };
}

export type AddPrice = ReturnType<typeof createAddPrice>;

/** Not replaced: somebody may have read the version that is there, and gateways may know it. */
function hourTaken(effectiveFromMs: number): AppError {
  const message = `There is a price from ${toIso(effectiveFromMs)} on already, and versions never change. Choose another hour.`;
  return new AppError('effective_from_taken', message);
}
