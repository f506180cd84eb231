import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import type { Database, Transaction } from '@tollgate/database/database';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { requireFuture } from '@tollgate/runtime/http/requests/require-future';
import { asSession } from '../accounts/as-session.ts';
import { lockAccount } from '../accounts/sql-account.ts';
import { endSession, isSessionAlive } from '../sessions/sql-session.ts';
import type { Allowance } from './allowance.ts';
import { closeGrant, findGrantOf, putConsentedPass, putGrant, type Grant } from './sql-oauth-grant.ts';

interface Deps {
  /** Connects as auth_api, under the row-level policies of the account. */
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly passesMax: number;
  readonly refuseSuspended: (accountId: string) => void;
  readonly credentialsChanged: () => Promise<void>;
}

export interface Consent {
  readonly accountId: string;
  /** The sign-in of this consent. It ends with it. */
  readonly sessionId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly resource: string;
  readonly allowance: Allowance;
}

/**
 * Makes the pass of a consent, or changes that of an earlier one, and returns the id of the grant. Throws `unauthorized` if the
 * sign-in has ended, `account_suspended`, `too_many_passes`, and `invalid_request` for an end that has passed.
 */
export type ConsentTo = (consent: Consent, by: Actor) => Promise<string>;

export function createConsentTo({ api, clock, passesMax, refuseSuspended, credentialsChanged }: Deps): ConsentTo {
  return async function consentTo(consent, by) {
    const { accountId, sessionId } = consent;
    const at = clock.now();
    requireFuture(consent.allowance.expiresAt, at);
    refuseSuspended(accountId);
    const grantId = await api.transaction(
      async (tx) => {
        await lockAccount(tx, accountId); // two consents of one account come one after the other
        if (!(await isSessionAlive(tx, sessionId))) throw new AppError('unauthorized', 'The sign-in has ended.');
        const grant = await putPass(tx, consent, { at, by: asSession(by, { accountId, sessionId }) });
        await endSession(tx, { sessionId, endedAt: at, because: 'logout' });
        return grant.grantId;
      },
      { accountId },
    );
    await credentialsChanged();
    return grantId;
  };

  async function putPass(tx: Transaction, consent: Consent, { at, by }: { at: number; by: Actor }): Promise<Grant> {
    const { accountId, clientId, clientName, resource, allowance } = consent;
    const earlier = await findGrantOf(tx, { accountId, clientId, resource });
    const pass = { ...allowance, name: clientName, at, passesMax };
    const isChanged = earlier && (await putConsentedPass(tx, { ...pass, passId: earlier.passId })) === 'changed';
    // The tokens of a consent that ended stay dead: a new one has a grant of its own.
    if (earlier && !isChanged) await closeGrant(tx, earlier.grantId, at);
    const fresh = { accountId, clientId, resource, grantId: uuidV7(at), passId: uuidV7(at) };
    const grant = earlier && isChanged ? earlier : fresh;
    if (grant === fresh && (await putConsentedPass(tx, { ...pass, passId: fresh.passId })) !== 'created')
      throw new AppError('too_many_passes', `An account has at most ${passesMax} live passes. Revoke one first.`);
    await putGrant(tx, { ...grant, clientName, consentedAt: at });
    const object = { kind: 'pass', id: grant.passId };
    const detail = { grant: grant.grantId };
    await recordAct(tx, by, { action: isChanged ? 'pass.changed' : 'pass.created', accountId, object, detail });
    return grant;
  }
}
