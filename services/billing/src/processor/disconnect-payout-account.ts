import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import type { Processor } from './processor.ts';
import { setDisconnectedAt } from './sql-connected-accounts.ts';

export interface DisconnectDeps {
  readonly api: Database;
  readonly processor: Pick<Processor, 'name'>;
  readonly clock: Clock;
}

/**
 * Disconnects a builder's payout account here. At the processor it stays its owner's, and money owed stays owed. Does
 * nothing if no account is connected.
 */
export function createDisconnectPayoutAccount({ api, processor, clock }: DisconnectDeps) {
  return async function disconnectPayoutAccount(accountId: string, by: Actor): Promise<void> {
    const builder = { builderId: accountId, processor: processor.name };
    const act = { action: 'payout_account.disconnected', accountId, object: { kind: 'payout_account' } } as const;
    await api.transaction(
      async (tx) => {
        if (await setDisconnectedAt(tx, builder, clock.now())) await recordAct(tx, by, act);
      },
      { accountId },
    );
  };
}

export type DisconnectPayoutAccount = ReturnType<typeof createDisconnectPayoutAccount>;
