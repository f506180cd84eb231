import type { Database, Transaction } from '@tollgate/database/database';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { IncomingMessage } from 'node:http';

/** Accounts, or the operator: whose endpoints a route is about. */
export interface Owners {
  /** Null: the operator. */
  readonly accountIdOf: (request: IncomingMessage) => string | null;
  /** Runs the work for this owner. */
  readonly transaction: <T>(accountId: string | null, work: (tx: Transaction) => Promise<T>) => Promise<T>;
  readonly replyOnce: ReplyOnce<Transaction>;
}

/** Each account under its row-level policies, and with the answers of its Idempotency-Keys. */
export function createAccountOwners(api: Database, replyOnce: ReplyOnce<Transaction>): Owners {
  return {
    accountIdOf,
    transaction: (accountId, work) => api.transaction(work, accountId === null ? {} : { accountId }),
    replyOnce,
  };
}

/** The operator has no account, so no row-level policy stands for it. Its routes refuse an Idempotency-Key. */
export function createOperatorOwner(worker: Database): Owners {
  return {
    accountIdOf: () => null,
    transaction: (_accountId, work) => worker.transaction(work),
    async replyOnce({ request, response, readBody }, effect) {
      const { value } = await readBody(request, response);
      const { status, body, secrets } = await worker.transaction((tx) => effect(tx, value));
      sendJson(response, status, Object.assign({}, body, secrets));
    },
  };
}
