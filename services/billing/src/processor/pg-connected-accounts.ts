import type { Clock } from '@tollgate/kernel/clock';
import { toIso } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { ConnectedAccountStore } from './processor-stores.ts';

export interface ProcessorStoreOptions {
  /** Acts for one account at a time. */
  readonly api: Database;
  /** Writes down what the processor says, of whomever it speaks. */
  readonly worker: Database;
  readonly processor: string;
  readonly clock: Clock;
}

interface Row {
  readonly processor_account_id: string;
  readonly details_submitted: boolean;
  readonly payouts_enabled: boolean;
  readonly disconnected_at: Date | null;
}

const findText = `
select processor_account_id, details_submitted, payouts_enabled, disconnected_at
from billing.connected_account where account_id = $1 and processor = $2`;

const addText = `
insert into billing.connected_account (account_id, processor, processor_account_id, created_at) values ($1, $2, $3, $4)
on conflict (account_id, processor) do nothing`;

const replaceText = `
update billing.connected_account set processor_account_id = $3, details_submitted = false, payouts_enabled = false
where processor = $1 and processor_account_id = $2`;

const setDisconnectedText = `
update billing.connected_account set disconnected_at = $3
where account_id = $1 and processor = $2 and (disconnected_at is null) <> ($3::timestamptz is null)`;

const lockText = `
select 1 from billing.connected_account where processor = $1 and processor_account_id = $2 for update`;

const setStatusText = `
update billing.connected_account set details_submitted = $3, payouts_enabled = $4
where processor = $1 and processor_account_id = $2`;

export function createPgConnectedAccounts(options: ProcessorStoreOptions): ConnectedAccountStore {
  const { api, worker, processor, clock } = options;
  return {
    async find(accountId) {
      const [row] = await api.transaction((tx) => tx.query<Row>(findText, [accountId, processor]), { accountId });
      return row && fromRow(row);
    },
    async add(accountId, processorAccountId) {
      const values = [accountId, processor, processorAccountId, toIso(clock.now())];
      await api.transaction((tx) => tx.query(addText, values), { accountId });
    },
    async replace(goneAccountId, processorAccountId) {
      await worker.query(replaceText, [processor, goneAccountId, processorAccountId]);
    },
    async setDisconnected(accountId, disconnection) {
      const values = [accountId, processor, disconnection === 'disconnected' ? toIso(clock.now()) : null];
      await api.transaction((tx) => tx.query(setDisconnectedText, values), { accountId });
    },
    refresh: (processorAccountId, read) =>
      worker.transaction(async (tx) => {
        const locked = await tx.query(lockText, [processor, processorAccountId]);
        if (locked.length === 0) return;
        const { areDetailsSubmitted, arePayoutsEnabled } = await read(); // after the lock: see the port
        await tx.query(setStatusText, [processor, processorAccountId, areDetailsSubmitted, arePayoutsEnabled]);
      }),
  };
}

function fromRow({ processor_account_id, details_submitted, payouts_enabled, disconnected_at }: Row) {
  return {
    processorAccountId: processor_account_id,
    areDetailsSubmitted: details_submitted,
    arePayoutsEnabled: payouts_enabled,
    isDisconnected: disconnected_at !== null,
  };
}
