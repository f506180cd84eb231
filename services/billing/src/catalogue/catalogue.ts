import type { Queryable } from '@tollgate/database/database';
import type { PageStart } from '@tollgate/runtime/http/page-position';
import type { PriceVersion } from './price-version.ts';
import type { PricedTool, Tool } from './tool.ts';

/** The tool catalogue as one account sees it: everybody's tools to read, its own to write. */
export interface Catalogue {
  /**
   * Runs `work` in one transaction for this account. Resolved: committed. Rejected: nothing of it is, save when the
   * answer to COMMIT was lost (`unavailable`). Safe to repeat as far as `work` is.
   */
  transaction<T>(
    work: (catalogue: CatalogueTransaction) => Promise<T>,
    options: { readonly accountId: string },
  ): Promise<T>;
}

/** Valid inside the transaction only. Queryable for what is kept beside the catalogue: replies to idempotency keys. */
export interface CatalogueTransaction extends Queryable {
  readonly tools: ToolStore;
  readonly prices: PriceStore;
}

export interface ToolStore {
  /** With its first price. False: the slug has been given out, to whomever; of two at once one gets it. */
  add(tool: Tool, first: PriceVersion): Promise<boolean>;
  /** With the price in force at `nowMs`. */
  find(slug: string, nowMs: number): Promise<PricedTool | undefined>;
  /** Newest first over (created_at, slug). */
  list(query: ToolListQuery): Promise<ListPage<PricedTool>>;
  /** False: there is no such tool, or it is not this owner's. */
  change(owned: OwnedTool, changes: ToolChanges): Promise<boolean>;
  /** Final; the first archiving stands if two come at once. */
  archive(owned: OwnedTool, archivedAtMs: number): Promise<void>;
}

export interface PriceStore {
  /** False: there is a version for that hour already. Throws if the tool is not the account's. */
  add(version: PriceVersion): Promise<boolean>;
  /** Newest first over (created_at, id). */
  list(slug: string, page: PageQuery): Promise<ListPage<PriceVersion>>;
}

export interface OwnedTool {
  readonly slug: string;
  readonly ownerId: string;
}

export interface ToolChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
}

export interface PageQuery extends PageStart {
  readonly limit: number;
}

export interface ToolListQuery extends PageQuery {
  /** One account's tools, archived ones too; or the public catalogue: all that can be called. */
  readonly of: { readonly ownerId: string } | 'everybody';
  readonly nowMs: number;
}

export interface ListPage<Item> {
  /** One more than `limit` if there are more: that is how one knows. */
  readonly rows: readonly Item[];
  /** On all pages. */
  readonly total: number;
}
