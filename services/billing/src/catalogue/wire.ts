import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { CatalogueTransaction } from './catalogue.ts';
import { pricePreviewController } from './price-preview.controller.ts';
import { pricesController } from './prices.controller.ts';
import { createPrismaCatalogue } from './prisma-catalogue.ts';
import { toolsController } from './tools.controller.ts';
import { createPrices, type PricesDeps } from './prices.ts';
import { createProveResource, type ProveResourceDeps } from './prove-resource.ts';
import { createTools, type ToolsDeps } from './tools.ts';

export interface CatalogueDeps extends Omit<ToolsDeps, 'proveResource'>, PricesDeps, ProveResourceDeps {
  /** PostgreSQL's address, with the role that acts for one account at a time. */
  readonly url: string;
  readonly maxConnections: number;
  readonly idempotency: Idempotency;
  readonly log: Logger;
}

/** Wires the routes of tools and prices. The catalogue's own transaction also stores replies to idempotency keys. */
export function wireCatalogue(deps: CatalogueDeps) {
  const { url, maxConnections, toolsMax, versionsMax, priceBounds, idempotency, clock, log } = deps;
  const proveResource = createProveResource(deps);
  const catalogue = createPrismaCatalogue({ url, maxConnections, log });
  const replyOnce = createReplyOnce<CatalogueTransaction>({ database: catalogue, idempotency });
  return {
    replyOnce,
    controllers: [
      toolsController({ catalogue, replyOnce, ...createTools({ clock, toolsMax, priceBounds, proveResource }) }),
      pricesController({ catalogue, replyOnce, ...createPrices({ clock, versionsMax, priceBounds }) }),
      pricePreviewController({ priceBounds }),
    ],
    parts: [catalogue],
  };
}
