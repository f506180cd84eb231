import type { Clock } from '@tollgate/kernel/clock';
import type { Idempotency } from '@tollgate/runtime/http/idempotency/idempotency';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createReplyOnce } from '@tollgate/runtime/nest/reply-once';
import { createAddPrice } from './add-price.ts';
import { createArchiveTool } from './archive-tool.ts';
import type { CatalogueTransaction } from './catalogue.ts';
import { createChangeTool } from './change-tool.ts';
import { createFindTool } from './find-tool.ts';
import { createListPrices } from './list-prices.ts';
import { createListTools } from './list-tools.ts';
import { pricesController } from './prices.controller.ts';
import { createPrismaCatalogue } from './prisma-catalogue.ts';
import type { PriceBounds } from './price-bounds.ts';
import { createRegisterTool } from './register-tool.ts';
import { toolsController } from './tools.controller.ts';

export interface CatalogueDeps {
  /** PostgreSQL's address, with the role that acts for one account at a time. */
  readonly url: string;
  readonly maxConnections: number;
  /** Tools per account, and price versions per tool. */
  readonly toolsMax: number;
  readonly versionsMax: number;
  readonly priceBounds: PriceBounds;
  readonly idempotency: Idempotency;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Wires the routes of tools and prices. The catalogue's own transaction also stores replies to idempotency keys. */
export function wireCatalogue(deps: CatalogueDeps) {
  const { url, maxConnections, toolsMax, versionsMax, priceBounds, idempotency, clock, log } = deps;
  const catalogue = createPrismaCatalogue({ url, maxConnections, log });
  const replyOnce = createReplyOnce<CatalogueTransaction>({ database: catalogue, idempotency });
  const toolUseCases = {
    registerTool: createRegisterTool({ clock, toolsMax, priceBounds }),
    findTool: createFindTool({ clock }),
    listTools: createListTools({ clock }),
    changeTool: createChangeTool({ clock }),
    archiveTool: createArchiveTool({ clock }),
  };
  const priceUseCases = {
    addPrice: createAddPrice({ clock, versionsMax, priceBounds }),
    listPrices: createListPrices({ clock }),
  };
  return {
    replyOnce,
    controllers: [
      toolsController({ catalogue, replyOnce, ...toolUseCases }),
      pricesController({ catalogue, replyOnce, ...priceUseCases }),
    ],
    parts: [catalogue],
  };
}
