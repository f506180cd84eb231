import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { endGrant } from './sql-oauth-grant.ts';

interface Deps {
  /** Connects as auth_worker: a client ends a consent without the account's credential. */
  readonly worker: Database;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Ends a consent with its pass: no token of it refreshes, and no gateway takes one. False if it had ended before. Safe to
 * repeat.
 */
export type EndConsent = (grantId: string, by?: Actor) => Promise<boolean>;

export function createEndConsent({ worker, clock }: Deps): EndConsent {
  return async function endConsent(grantId, by = { kind: 'nobody' }) {
    return worker.transaction(async (tx) => {
      const ended = await endGrant(tx, grantId, clock.now());
      if (ended === undefined) return false;
      const { accountId, passId, wasLive } = ended;
      const act = { action: 'pass.revoked', accountId, object: { kind: 'pass', id: passId } } as const;
      if (wasLive) await recordAct(tx, by, { ...act, detail: { grant: grantId } });
      return true;
    });
  };
}
