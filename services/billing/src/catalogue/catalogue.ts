import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Queryable } from '@tollgate/database/database';
import type { PageStart } from '@tollgate/runtime/http/lists/page-position';
import type { PriceVersion, PricedTool, Tool } from './tool.ts';

/** The tool catalogue for one account, which reads everybody's tools and writes its own. */
export interface Catalogue {
  /**
   * Runs `work` in one transaction for this account. When the promise resolves, the transaction is committed. When it
   * rejects, nothing is committed, unless the answer to COMMIT was lost (`unavailable`). The call is as safe to repeat
   * as `work` is.
   */
  transaction<T>(
    work: (catalogue: CatalogueTransaction) => Promise<T>,
    options: { readonly accountId: string },
  ): Promise<T>;
}

/** Valid inside the transaction only. It can be queried, so that replies to idempotency keys commit with the change. */
export interface CatalogueTransaction extends Queryable {
  readonly tools: ToolStore;
  readonly prices: PriceStore;
}

export interface ToolStore {
  /**
   * Adds a tool with its first price. False if any account has or had the slug. If two calls come at once, one
   * succeeds.
   */
  add(tool: Tool, first: PriceVersion): Promise<boolean>;
  /** How many tools the account has, archived ones too. */
  count(ownerId: string): Promise<number>;
  /** Finds a tool with its price in force at `nowMs`. */
  find(slug: string, nowMs: number): Promise<PricedTool | undefined>;
  /** Lists tools, newest first by (created_at, slug). */
  list(query: ToolListQuery): Promise<ListPage<PricedTool>>;
  /** Changes what is given. False: there is no such tool, or it has another owner. */
  change(owned: OwnedTool, changes: ToolChanges): Promise<boolean>;
  /** Archives the tool for good; it has no resource then. If two calls come at once, the time of the first stays. */
  archive(owned: OwnedTool, archivedAtMs: number): Promise<void>;
}

export interface PriceStore {
  /** Adds a version. False: that hour already has a version. Throws if the account does not own the tool. */
  add(version: PriceVersion): Promise<boolean>;
  /** How many versions the tool has. */
  count(slug: string): Promise<number>;
  /** Lists a tool's versions, newest first by (created_at, id). */
  list(slug: string, page: PageQuery): Promise<ListPage<PriceVersion>>;
}

export interface OwnedTool {
  readonly slug: string;
  readonly ownerId: string;
}

export interface ToolChanges {
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  /** Empty: it is removed. */
  readonly defaultMax?: AuthorizedMax | undefined;
  /** Null: it is removed. A resource must have been claimed for the owner in the same transaction. */
  readonly resource?: string | null | undefined;
}

export interface PageQuery extends PageStart {
  readonly limit: number;
}

export interface ToolListQuery extends PageQuery {
  /** One account's tools, archived ones too; or every tool that is not archived. */
  readonly of: { readonly ownerId: string } | 'everybody';
  readonly nowMs: number;
}

export interface ListPage<Item> {
  /** The rows of the page, and one more if there is another page. */
  readonly rows: readonly Item[];
  /** The number of rows on all pages. */
  readonly total: number;
}
