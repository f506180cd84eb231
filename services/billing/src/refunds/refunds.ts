import { AppError } from '@tollgate/kernel/app-error';
import { noSuchInvoice } from '../invoicing/invoice.ts';
import type { BalanceRefund, CreditedTool, CreditNote, Refund, RefundsDeps } from './refund.ts';
import { createRefundBalance } from './refund-balance.ts';
import { createRefundInvoice } from './refund-invoice.ts';
import { createReturnStrayMoney } from './return-stray-money.ts';
import { listStrayMoney } from './sql-stray-money.ts';
import { hasInvoice } from '../invoicing/sql-invoices.ts';
import { listRefunds } from './sql-refunds.ts';
import type { ListPage, PageQuery } from '../catalogue/catalogue.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';
import { findBalanceRefundOf, listBalanceRefunds } from './sql-balance-refunds.ts';
import type { Parties } from '../invoicing/party.ts';
import { readInvoiceParties, readToolNames } from '../invoicing/sql-invoice-parties.ts';
import { findNote, readCreditNotes, sumCreditedTools, type CreditNotePageQuery } from './sql-credit-notes.ts';

/** Creates what can be asked of refunds, of the refunds of balances, and of the credit notes that they issue. */
export function createRefunds(deps: RefundsDeps) {
  const { api, database } = deps;

  return {
    refundInvoice: createRefundInvoice(deps),
    refundBalance: createRefundBalance(deps),
    returnStrayMoney: createReturnStrayMoney(deps),
    findRefunds,
    listStrayMoney: () => listStrayMoney(database),
    findBalanceRefund,
    listBalanceRefunds: listOwnBalanceRefunds,
    listBalanceRefundsOfAccount,
    listCreditNotes,
    findCreditNote,
  };

  /** Lists the refunds of any consumer's invoice, newest first, for the operator. Throws `not_found`. */
  async function findRefunds(invoiceId: string): Promise<Refund[]> {
    if (!(await hasInvoice(database, invoiceId))) throw noSuchInvoice(invoiceId);
    return listRefunds(database, invoiceId);
  }

  /** Finds a refund of this account's balance. Throws `not_found`. */
  async function findBalanceRefund(of: OfAccount & Pick<BalanceRefund, 'id'>): Promise<BalanceRefund> {
    const refund = await api.transaction((tx) => findBalanceRefundOf(tx, of), { accountId: of.accountId });
    if (refund === undefined) throw new AppError('not_found', `You have no refund \`${of.id}\` of your balance.`);
    return refund;
  }

  /** Lists the refunds of this account's balance, newest first. */
  function listOwnBalanceRefunds(query: PageQuery & OfAccount): Promise<ListPage<BalanceRefund>> {
    return api.transaction((tx) => listBalanceRefunds(tx, query), { accountId: query.accountId });
  }

  /** Lists the refunds of any account's balance, newest first, for the operator. Throws `not_found`. */
  function listBalanceRefundsOfAccount(query: PageQuery & OfAccount): Promise<ListPage<BalanceRefund>> {
    return database.transaction(async (tx) => {
      if ((await findAccount(tx, query.accountId)) === undefined)
        throw new AppError('not_found', `There is no account \`${query.accountId}\`.`);
      return listBalanceRefunds(tx, query);
    });
  }

  /** Lists the credit notes of one consumer, newest first. */
  async function listCreditNotes(query: CreditNotePageQuery) {
    return api.transaction((tx) => readCreditNotes(tx, query), { accountId: query.consumerId });
  }

  /** Finds a credit note of this consumer, with its tools. Throws `not_found`. */
  async function findCreditNote({ consumerId, id }: OwnNote): Promise<WholeCreditNote> {
    const note = await api.transaction((tx) => findNote(tx, { consumerId, id }), { accountId: consumerId });
    if (note === undefined) throw new AppError('not_found', `You have no credit note \`${id}\`.`);
    const tools = await sumCreditedTools(database, id); // the lines of a refund are readable to their builders alone
    const { invoiceId } = note;
    const toolIds = tools.flatMap(({ toolId }) => toolId ?? []);
    const beside = await api.transaction(
      async (tx) => {
        const parties = await readInvoiceParties(tx, invoiceId);
        return { parties, toolNames: await readToolNames(tx, { invoiceId, toolIds }) };
      },
      { accountId: consumerId },
    );
    const account = await findAccount(database, consumerId);
    return { note, tools, ...beside, email: account?.email ?? consumerId };
  }
}

export type Refunds = ReturnType<typeof createRefunds>;

type OfAccount = Pick<BalanceRefund, 'accountId'>;

export interface OwnNote {
  readonly consumerId: string;
  readonly id: string;
}

/** A note with what its print and its answer show beside it. */
export interface WholeCreditNote {
  readonly note: CreditNote;
  readonly tools: readonly CreditedTool[];
  /** Undefined for an invoice from before they were kept. */
  readonly parties: Parties | undefined;
  readonly toolNames: ReadonlyMap<string, string>;
  /** The e-mail address of the consumer. */
  readonly email: string;
}
