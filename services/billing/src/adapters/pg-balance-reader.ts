import { micros } from '@tollgate/kernel/money';
import { onlyRow, type Database } from '@tollgate/runtime/postgres/database';
import type { BalanceReader } from '../app/read-billing-account.ts';

// What is owed stands below zero in the ledger.
const text = `
select coalesce(-sum(balance_micros), 0)::text as owed from billing.ledger_account
where owner_id = $1 and kind in ('builder_payable', 'in_transit')`;

export function createPgBalanceReader(api: Database): BalanceReader {
  return {
    async readPayableMicros(accountId) {
      const rows = await api.transaction((tx) => tx.query<{ owed: string }>(text, [accountId]), { accountId });
      return micros(BigInt(onlyRow(rows).owed));
    },
  };
}
