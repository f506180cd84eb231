import { AppError } from '@tollgate/kernel/app-error';
import type { Database } from '@tollgate/database/database';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';
import type { BalanceRefund } from './balance-refund.ts';
import { findBalanceRefundOf, listBalanceRefunds } from './sql-balance-refunds.ts';

type OfAccount = Pick<BalanceRefund, 'accountId'>;

/** Finds a refund of this account's balance. Throws `not_found`. */
export function createFindBalanceRefund({ api }: { readonly api: Database }) {
  return async function findBalanceRefund(of: OfAccount & Pick<BalanceRefund, 'id'>): Promise<BalanceRefund> {
    const refund = await api.transaction((tx) => findBalanceRefundOf(tx, of), { accountId: of.accountId });
    if (refund === undefined) throw new AppError('not_found', `You have no refund \`${of.id}\` of your balance.`);
    return refund;
  };
}

export type FindBalanceRefund = ReturnType<typeof createFindBalanceRefund>;

/** Lists the refunds of this account's balance, newest first. */
export function createListBalanceRefunds({ api }: { readonly api: Database }) {
  return function listOwnBalanceRefunds(query: PageQuery & OfAccount): Promise<ListPage<BalanceRefund>> {
    return api.transaction((tx) => listBalanceRefunds(tx, query), { accountId: query.accountId });
  };
}

export type ListBalanceRefunds = ReturnType<typeof createListBalanceRefunds>;

/** Lists the refunds of any account's balance, newest first, for the operator. Throws `not_found`. */
export function createListBalanceRefundsOfAccount({ database }: { readonly database: Database }) {
  return function listBalanceRefundsOfAccount(query: PageQuery & OfAccount): Promise<ListPage<BalanceRefund>> {
    return database.transaction(async (tx) => {
      if ((await findAccount(tx, query.accountId)) === undefined)
        throw new AppError('not_found', `There is no account \`${query.accountId}\`.`);
      return listBalanceRefunds(tx, query);
    });
  };
}
