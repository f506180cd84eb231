import type { Clock } from '@tollgate/kernel/clock';
import type { PriceVersion } from './price-version.ts';
import { toolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction, ListPage, PageQuery } from './catalogue.ts';

export interface PriceListQuery extends PageQuery {
  readonly slug: string;
}

/** Lists a tool's price versions, newest first. Throws `tool_not_found`. */
export function createListPrices({ clock }: { clock: Clock }) {
  return async function listPrices(
    { tools, prices }: CatalogueTransaction,
    { slug, ...page }: PriceListQuery,
  ): Promise<ListPage<PriceVersion>> {
    const tool = await tools.find(slug, clock.now());
    if (tool === undefined) throw toolNotFound(slug);
    return prices.list(slug, page);
  };
}

export type ListPrices = ReturnType<typeof createListPrices>;
