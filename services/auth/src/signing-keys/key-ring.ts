import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { Service } from '@tollgate/kernel/service';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Database } from '@tollgate/database/database';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { coalesce } from '@tollgate/runtime/timing/coalesce';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import {
  generateSigningKey,
  openSigningKey,
  type KeyUse,
  type SigningKey,
  type StoredSigningKey,
} from './signing-key.ts';
import { deleteRetiredSigningKeys, insertSigningKey, readSigningKeys, retireSigningKey } from './sql-signing-key.ts';

/** The signing keys of one use, kept in memory. `start` generates the first key when there is none. */
export interface KeyRing extends Service {
  /** The key that signs. */
  current(): SigningKey;
  /** The public halves of all keys whose tokens may still be presented, as a JSON Web Key Set. */
  published(): { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /**
   * Replaces the key that signs. Tokens of earlier keys still verify, unless these are revoked. Returns the id of the key
   * that signs afterwards.
   */
  rotate(by: Actor, options?: { readonly revokesEarlier: boolean }): Promise<string>;
  /** Reads the keys again, because another process may have rotated. */
  reload(): Promise<void>;
}

interface Deps {
  readonly use: KeyUse;
  /** Connects as auth_worker: signing keys belong to no account. */
  readonly worker: Database;
  readonly box: SealedBox;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Loaded {
  readonly current: SigningKey;
  readonly stored: readonly StoredSigningKey[];
}

export function createKeyRing({ use, worker, box, clock, log }: Deps): KeyRing {
  let loaded: Loaded | undefined;
  const reload = coalesce(load);
  return {
    name: `signing-keys-${use}`,
    start: loadOrGenerate,
    stop: () => Promise.resolve(),
    current: () => keys().current,
    published: () => ({ keys: keys().stored.map((key) => key.publicJwk) }),
    rotate,
    reload,
  };

  function keys(): Loaded {
    if (loaded === undefined) throw new Error('the signing keys are not read before start');
    return loaded;
  }

  async function loadOrGenerate(): Promise<void> {
    if ((await readCurrent()) === undefined) await install(undefined, { kind: 'service' });
    await reload();
  }

  async function rotate(by: Actor, { revokesEarlier } = { revokesEarlier: false }): Promise<string> {
    await install((await readCurrent())?.keyId, by);
    if (revokesEarlier) await deleteRetiredSigningKeys(worker, use);
    await reload();
    return keys().current.keyId;
  }

  /** Generates a key that signs from now on. When another process was faster, its key serves as well. */
  async function install(replacedKeyId: string | undefined, by: Actor): Promise<void> {
    const key = await generateSigningKey(box, clock.now());
    const isInstalled = await worker.transaction(async (tx) => {
      if (replacedKeyId !== undefined && !(await retireSigningKey(tx, replacedKeyId, key.createdAt))) return false;
      if (!(await insertSigningKey(tx, use, key))) return false;
      const object = { kind: 'signing_key', id: key.keyId };
      await recordAct(tx, by, { action: 'signing_key.rotated', object, detail: { use } });
      return true;
    });
    if (isInstalled) log.info({ key_id: key.keyId, use, replaced_key_id: replacedKeyId }, 'generated a signing key');
  }

  async function readCurrent(): Promise<StoredSigningKey | undefined> {
    return (await readSigningKeys(worker, use)).find((key) => key.privateSealed !== undefined);
  }

  async function load(): Promise<void> {
    const stored = await readSigningKeys(worker, use);
    const signing = stored.find((key) => key.privateSealed !== undefined);
    if (signing === undefined)
      throw new AppError('unavailable', 'Tokens cannot be signed right now.', { detail: 'no signing key' });
    const current = loaded?.current.keyId === signing.keyId ? loaded.current : openSigningKey(box, signing);
    loaded = { current, stored };
  }
}
