import { AppError } from '@tollgate/kernel/app-error';
import type { Database, Queryable } from '@tollgate/database/database';
import type { Parties } from '../invoicing/party.ts';
import { findAccount } from '../invoicing/sql-accounts.ts';
import { readInvoiceParties, readToolNames } from '../invoicing/sql-invoice-parties.ts';
import type { CreditedTool, CreditNote } from './credit-note.ts';
import { findNote, readCreditNotes, sumCreditedTools, type CreditNotePageQuery } from './sql-credit-notes.ts';

export interface CreditNoteDeps {
  readonly database: Database;
  /** A connection with the role that may read every line. */
  readonly worker: Queryable;
}

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

/** Lists the credit notes of one consumer, newest first. */
export function createListCreditNotes({ database }: Pick<CreditNoteDeps, 'database'>) {
  return async function listCreditNotes(query: CreditNotePageQuery) {
    return database.transaction((tx) => readCreditNotes(tx, query), { accountId: query.consumerId });
  };
}

export type ListCreditNotes = ReturnType<typeof createListCreditNotes>;

/** Finds a credit note of this consumer, with its tools. Throws `not_found`. */
export function createFindCreditNote({ database, worker }: CreditNoteDeps) {
  return async function findCreditNote({ consumerId, id }: OwnNote): Promise<WholeCreditNote> {
    const note = await database.transaction((tx) => findNote(tx, { consumerId, id }), { accountId: consumerId });
    if (note === undefined) throw new AppError('not_found', `You have no credit note \`${id}\`.`);
    const tools = await sumCreditedTools(worker, id); // the lines of a refund are readable to their builders alone
    const { invoiceId } = note;
    const toolIds = tools.flatMap(({ toolId }) => toolId ?? []);
    const beside = await database.transaction(
      async (tx) => {
        const parties = await readInvoiceParties(tx, invoiceId);
        return { parties, toolNames: await readToolNames(tx, { invoiceId, toolIds }) };
      },
      { accountId: consumerId },
    );
    const account = await findAccount(worker, consumerId);
    return { note, tools, ...beside, email: account?.email ?? consumerId };
  };
}

export type FindCreditNote = ReturnType<typeof createFindCreditNote>;
