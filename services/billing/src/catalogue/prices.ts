import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Price } from '@tollgate/contracts/tools/price';
import { AppError } from '@tollgate/kernel/app-error';
import { toIso, type Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { earliestRiseMs, requirePriceAtMost, riseTooSoon, type PriceBounds } from './price-bounds.ts';
import { requirePriceStart } from './price-start.ts';
import { type PriceVersion, ownToolNotFound, toolNotFound } from './tool.ts';
import { hasConsumers } from './sql-find-prices-in-force.ts';
import type { CatalogueTransaction, OwnedTool, ListPage, PageQuery } from './catalogue.ts';

export interface NewPrice extends OwnedTool {
  readonly price: Price;
  readonly effectiveFromMs: number;
}

export interface PricesDeps {
  readonly clock: Clock;
  readonly versionsMax: number;
  readonly priceBounds: PriceBounds;
}

export interface PriceListQuery extends PageQuery {
  readonly slug: string;
}

/** Creates what can be asked of the prices of tools. Each verb runs in the catalogue's transaction. */
export function createPrices({ clock, versionsMax, priceBounds }: PricesDeps) {
  return { addPrice, listPrices };

  /**
   * Adds a price version to a tool of its owner. Throws `tool_not_found`, also for another owner's tool; `invalid_request`
   * for a beginning less than an hour ahead; `tool_archived`; `too_many_price_versions`; `price_too_high`;
   * `price_rise_too_soon` for a rise that consumers of the tool would not know of in time; and `effective_from_taken`.
   */
  async function addPrice(tx: CatalogueTransaction, request: NewPrice, by: Actor): Promise<PriceVersion> {
    const { tools, prices } = tx;
    const { ownerId, slug, price, effectiveFromMs } = request;
    const nowMs = clock.now();
    const tool = await tools.find(slug, nowMs);
    if (tool === undefined || tool.ownerId !== ownerId) throw ownToolNotFound(slug);
    requirePriceStart(effectiveFromMs, nowMs);
    if (tool.archivedAtMs !== null)
      throw new AppError('tool_archived', 'The tool is archived; a new price would rate no call.');
    if ((await prices.count(slug)) >= versionsMax) throw tooManyVersions(versionsMax);
    requirePriceAtMost(price, priceBounds);
    await requireNotice(tx, request, nowMs);
    const version = { id: uuidV7(nowMs), slug, effectiveFromMs, price, createdAtMs: nowMs };
    if (!(await prices.add(version))) throw hourTaken(effectiveFromMs);
    const object = { kind: 'tool', id: slug };
    const detail = { price_id: version.id, effective_from: toIso(effectiveFromMs) };
    await recordAct(tx, by, { action: 'price.added', accountId: ownerId, object, detail });
    return version;
  }

  /**
   * A rise is one over the price that would be in force at that hour. That price was known in time, or is no rise over
   * the one before. So no consumer pays more than it could know of for as long.
   */
  async function requireNotice(tx: CatalogueTransaction, request: NewPrice, nowMs: number): Promise<void> {
    const { slug, ownerId, price: next, effectiveFromMs } = request;
    if (priceBounds.riseNoticeMs === 0) return;
    const now = (await tx.tools.find(slug, effectiveFromMs))?.price;
    if (now === undefined) return;
    const earliestMs = earliestRiseMs({ next, now, effectiveFromMs, nowMs }, priceBounds);
    if (earliestMs !== undefined && (await hasConsumers(tx, { slug, ownerId }))) throw riseTooSoon(earliestMs);
  }

  /** Lists a tool's price versions, newest first. Throws `tool_not_found`. */
  async function listPrices(
    { tools, prices }: CatalogueTransaction,
    { slug, ...page }: PriceListQuery,
  ): Promise<ListPage<PriceVersion>> {
    const tool = await tools.find(slug, clock.now());
    if (tool === undefined) throw toolNotFound(slug);
    return prices.list(slug, page);
  }
}

export type Prices = ReturnType<typeof createPrices>;

function tooManyVersions(versionsMax: number): AppError {
  const message = `A tool has at most ${versionsMax} price versions. Let the prices in force stand, or register another tool.`;
  return new AppError('too_many_price_versions', message);
}

/** A version is never replaced: consumers may have read it, and gateways may have it in memory. */
function hourTaken(effectiveFromMs: number): AppError {
  const message = `A price from ${toIso(effectiveFromMs)} on exists already, and versions never change. Choose another hour.`;
  return new AppError('effective_from_taken', message);
}
