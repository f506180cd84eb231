import { createPublicKey, type KeyObject } from 'node:crypto';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { coalesce } from '@tollgate/runtime/timing/coalesce';
import type { Service } from '@tollgate/kernel/service';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { SealedBox } from './sealed-box.ts';
import { generateSigningKey, openSigningKey, type SigningKey } from './signing-key.ts';
import type { SigningKeyStore, StoredSigningKey } from '../ports.ts';

/** The signing keys of the deployment, kept in memory. `start` makes the first one. */
export interface KeyRing extends Service {
  /** The key that signs. */
  current(): SigningKey;
  /** Public halves of all keys whose tokens may still be presented, as a JSON Web Key Set. */
  published(): { readonly keys: readonly Readonly<Record<string, unknown>>[] };
  /** The public half of a key, retired ones too. What is not in memory is looked for once. */
  verifier(keyId: string): Promise<KeyObject | undefined>;
  /** Puts a new key in the place of the current one; tokens of the old keep verifying. Returns the id of the key that signs then. */
  rotate(): Promise<string>;
  /** Rotates if the current key is older than this. */
  rotateIfOlderThan(maxAgeMs: number): Promise<void>;
  /** Reads the keys again: another process may have rotated. */
  reload(): Promise<void>;
}

interface Deps {
  readonly store: SigningKeyStore;
  readonly box: SealedBox;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Loaded {
  readonly current: SigningKey;
  readonly stored: readonly StoredSigningKey[];
  readonly verifiers: ReadonlyMap<string, KeyObject>;
}

export function createKeyRing({ store, box, clock, log }: Deps): KeyRing {
  let loaded: Loaded | undefined;
  const reload = coalesce(load);
  return {
    name: 'signing-keys',
    start: loadOrMake,
    stop: () => Promise.resolve(),
    current: () => have().current,
    published: () => ({ keys: have().stored.map((key) => key.publicJwk) }),
    async verifier(keyId) {
      if (!have().verifiers.has(keyId)) await reload();
      return have().verifiers.get(keyId);
    },
    rotate,
    async rotateIfOlderThan(maxAgeMs) {
      if (clock.now() - have().current.createdAt >= maxAgeMs) await rotate();
    },
    reload,
  };

  function have(): Loaded {
    if (loaded === undefined) throw new Error('the signing keys were asked for before start');
    return loaded;
  }

  async function loadOrMake(): Promise<void> {
    if ((await signingOne()) === undefined) await makeKey(undefined); // lost: another process made the first key meanwhile
    await reload();
  }

  async function rotate(): Promise<string> {
    await makeKey((await signingOne())?.keyId); // lost: another process rotated meanwhile, which is as good
    await reload();
    return have().current.keyId;
  }

  async function makeKey(replacedKeyId: string | undefined): Promise<void> {
    const key = await generateSigningKey(box, clock.now());
    const outcome = await store.install(key, replacedKeyId);
    if (outcome === 'installed') log.info({ key_id: key.keyId, replaced_key_id: replacedKeyId }, 'made a signing key');
  }

  async function signingOne(): Promise<StoredSigningKey | undefined> {
    return (await store.all()).find((key) => key.privateSealed !== undefined);
  }

  async function load(): Promise<void> {
    const stored = await store.all();
    const signing = stored.find((key) => key.privateSealed !== undefined);
    if (signing === undefined)
      throw new AppError('unavailable', 'Tokens cannot be signed right now.', {
        detail: 'no signing key',
      });
    const current = loaded?.current.keyId === signing.keyId ? loaded.current : openSigningKey(box, signing);
    loaded = { current, stored, verifiers: new Map(stored.map((key) => [key.keyId, toKeyObject(key)])) };
  }
}

function toKeyObject({ publicJwk }: StoredSigningKey): KeyObject {
  return createPublicKey({ key: publicJwk, format: 'jwk' });
}
