import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import { findTopUpOf, listTopUps } from './sql-top-ups.ts';
import type { TopUp } from './top-up.ts';

interface FindTopUpsDeps {
  readonly api: Database;
}

/** Finds a top-up of this account. Throws `not_found`. */
export function createFindTopUp({ api }: FindTopUpsDeps) {
  return async function findTopUp(of: Pick<TopUp, 'id' | 'accountId'>): Promise<TopUp> {
    const topUp = await api.transaction((tx) => findTopUpOf(tx, of), { accountId: of.accountId });
    if (topUp === undefined) throw new AppError('not_found', `You have no top-up \`${of.id}\`.`);
    return topUp;
  };
}

export type FindTopUp = ReturnType<typeof createFindTopUp>;

/** Lists the top-ups of this account, newest first. */
export function createListTopUps({ api }: FindTopUpsDeps) {
  return function listOwnTopUps(query: PageQuery & { readonly accountId: string }): Promise<ListPage<TopUp>> {
    return api.transaction((tx) => listTopUps(tx, query), { accountId: query.accountId });
  };
}

export type ListTopUps = ReturnType<typeof createListTopUps>;
