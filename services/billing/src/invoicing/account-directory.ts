import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';

export interface Account {
  readonly accountId: string;
  readonly email: string;
  readonly createdAtMs: number;
}

export interface AccountListQuery extends PageQuery {
  readonly email: string | undefined;
}

/** Everybody, for the operator: auth's published directory. */
export interface AccountDirectory {
  /** Newest first over (created_at, id). */
  list(query: AccountListQuery): Promise<ListPage<Account>>;
  find(accountId: string): Promise<Account | undefined>;
}
