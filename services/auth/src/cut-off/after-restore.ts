import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { closeAgain } from '../erasure/close-account.ts';
import { findLostActs, keysRevokedBy, type LostAct } from './lost-acts.ts';
import {
  endAllSessions,
  forgetMailLinks,
  forgetOAuthTokens,
  listLiveKeys,
  readNewestActTime,
  revokeKeysById,
  revokePassesById,
  type LiveKey,
  type RevokedPass,
} from './sql-after-restore.ts';

export interface AfterRestoreWish {
  /** The log with the audit stream, since the backup. Undefined: nobody knows what was revoked since. */
  readonly logLines: readonly string[] | undefined;
  readonly revokesAllKeys: boolean;
}

export interface AfterRestoreResult {
  readonly endedSessions: number;
  /** Keys that were revoked after the backup, and are again. With `revokesAllKeys`, all keys. */
  readonly revokedKeys: readonly LiveKey[];
  /** Passes that were revoked after the backup, and are again. */
  readonly revokedPasses: readonly RevokedPass[];
  /** Accounts that were closed or erased after the backup, and are closed again. The service erases them. */
  readonly closedAccounts: readonly string[];
  /** Keys that work. */
  readonly liveKeys: readonly LiveKey[];
  /** The other acts after the backup that took rights away; the operator has to do them again. */
  readonly lostActs: readonly LostAct[];
}

/** The acts that this does again. */
const doneAgain: ReadonlySet<string> = new Set(['api_key.revoked', 'pass.revoked', 'account.closed', 'account.erased']);

const closes: ReadonlySet<string> = new Set(['account.closed', 'account.erased']);

interface Deps {
  /** The database as its owner. */
  readonly owner: Database;
  readonly clock: Clock;
}

/** A restored database knows credentials as of the backup: sessions, tokens and keys that were ended since would work again. */
export async function cleanUpAfterRestore(
  { owner, clock }: Deps,
  { logLines, revokesAllKeys }: AfterRestoreWish,
  by: Actor,
): Promise<AfterRestoreResult> {
  const newestMs = (await readNewestActTime(owner)) ?? 0;
  const lostActs = findLostActs(logLines ?? [], newestMs);
  const closed = lostActs.flatMap(({ action, accountId = '' }) => (closes.has(action) ? [accountId] : []));
  const closedAccounts = await closeAgain(owner, [...new Set(closed)], { atMs: clock.now(), by });
  return owner.transaction(async (tx) => {
    const endedSessions = await endAllSessions(tx, clock.now());
    await forgetOAuthTokens(tx);
    await forgetMailLinks(tx);
    const object = { kind: 'platform' };
    await recordAct(tx, by, { action: 'session.ended', object, detail: { ended: endedSessions } });
    const keys = await listLiveKeys(tx);
    const revokedKeys = revokesAllKeys ? keys : keysRevokedBy(keys, lostActs);
    const ids = revokedKeys.map(({ keyId }) => keyId);
    await revokeKeysById(tx, ids, clock.now());
    for (const { keyId, accountId } of revokedKeys)
      await recordAct(tx, by, { action: 'api_key.revoked', accountId, object: { kind: 'api_key', id: keyId } });
    const passIds = lostActs.flatMap(({ action, objectId = '' }) => (action === 'pass.revoked' ? [objectId] : []));
    const revokedPasses = await revokePassesById(tx, passIds, clock.now());
    for (const { passId, accountId } of revokedPasses)
      await recordAct(tx, by, { action: 'pass.revoked', accountId, object: { kind: 'pass', id: passId } });
    const revoked = new Set(ids);
    const liveKeys = keys.filter(({ keyId }) => !revoked.has(keyId));
    const others = lostActs.filter(({ action }) => !doneAgain.has(action));
    return { closedAccounts, endedSessions, revokedKeys, revokedPasses, liveKeys, lostActs: others };
  });
}
