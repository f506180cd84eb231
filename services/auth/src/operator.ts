import { createDatabase } from '@tollgate/database/database';
import { createNotifications } from '@tollgate/database/notifications';
import { systemClock } from '@tollgate/kernel/clock';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { createSetPassword, type NewPassword } from './accounts/set-password.ts';
import { wirePasswords } from './accounts/wire-passwords.ts';
import type { Config } from './config.ts';
import { createDatabases } from './create-databases.ts';
import { cleanUpAfterRestore, type AfterRestoreResult, type AfterRestoreWish } from './cut-off/after-restore.ts';
import { createChangeOperatorTokens } from './operator-tokens/change-operator-tokens.ts';
import { listOperatorTokens, type OperatorToken } from './operator-tokens/sql-operator-token.ts';
import { createLetters } from './letters/letters.ts';
import { createChangeOperatorAccount } from './operator-accounts/change-operator-account.ts';
import { createRemoveTotp } from './second-factor/remove-totp.ts';
import { createSetOperatorTotp } from './second-factor/set-operator-totp.ts';
import type { TotpSecret } from './second-factor/totp.ts';
import type { AuthDeps } from './service.ts';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import type { KeyUse } from './signing-keys/signing-key.ts';
import { wireSigningKeys } from './signing-keys/wire.ts';

/** Commands run with the database's own password: the trail knows no name. */
const command: Actor = { kind: 'command' };

/** Sets the password of an owner who forgot it. All sessions of the account end, and its API keys if asked. */
export async function setPassword(
  config: Config,
  { clock, realTime = systemClock, log }: AuthDeps,
  wish: NewPassword,
): Promise<void> {
  const { breachedPasswords, ...passwords } = wirePasswords(config);
  await breachedPasswords.start();
  const { api, worker } = createDatabases(config, log);
  try {
    const letters = createLetters({ secret: config.MAIL_SECRET, publicUrl: config.PUBLIC_URL, realTime });
    await createSetPassword({ api, worker, letters, clock, ...passwords })(wish, command);
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Removes the second factor of an owner who lost the device and the recovery codes. All sessions of the account end. */
export async function removeTotp(config: Config, { clock, log }: AuthDeps, email: string): Promise<void> {
  const { api, worker } = createDatabases(config, log);
  try {
    await createRemoveTotp({ api, worker, clock })(email, command);
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Makes an account one of the operator, or ends that. All its sessions end. */
export async function changeOperatorAccount(
  config: Config,
  { clock, log }: AuthDeps,
  { email, verb }: { readonly email: string; readonly verb: 'grant' | 'revoke' },
): Promise<void> {
  const { api, worker } = createDatabases(config, log);
  try {
    await createChangeOperatorAccount({ worker, clock })[verb](email, command);
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

export interface OperatorTotp {
  begin(): Promise<TotpSecret>;
  confirm(code: string): Promise<void>;
  disable(): Promise<void>;
}

/** Runs a command on the operator's second factor. */
export async function openOperatorTotp<T>(
  config: Config,
  { clock, realTime = systemClock, log }: AuthDeps,
  work: (totp: OperatorTotp) => Promise<T>,
): Promise<T> {
  const { api, worker } = createDatabases(config, log);
  const box = createSealedBox({ secret: config.AUTH_KEY_ENCRYPTION_SECRET, purpose: 'totp' });
  const { begin, confirm, disable } = createSetOperatorTotp({ worker, box, clock, realTime });
  try {
    return await work({ begin, confirm: (code) => confirm(code, command), disable: () => disable(command) });
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

export interface KeyRotation {
  /** Default: the key of sessions. */
  readonly use?: KeyUse;
  readonly revokesEarlier?: boolean;
}

/**
 * Replaces the signing key at once, and returns the id of the new key. Tokens of earlier keys stay good until they
 * expire, unless those keys are revoked: then everybody signs in again.
 */
export async function rotateSigningKey(
  config: Config,
  { clock, log }: AuthDeps,
  { use = 'session', revokesEarlier = false }: KeyRotation = {},
): Promise<string> {
  const { api, worker } = createDatabases(config, log);
  const notifications = createNotifications({ url: config.DATABASE_WORKER_URL, log }); // never started: nothing is followed
  try {
    const { keyRings } = wireSigningKeys(config, { worker, notifications, clock, log }).useCases;
    return await keyRings[use].rotate(command, { revokesEarlier });
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

export interface OperatorTokens {
  create(wish: { readonly name: string; readonly expiresAt: number | undefined }): Promise<string>;
  rotate(name: string): Promise<string>;
  /** False: no live token has the name. */
  revoke(name: string): Promise<boolean>;
  list(): Promise<readonly OperatorToken[]>;
}

/** Runs a command on the operator's tokens. `create` and `rotate` give the token itself, which nobody sees again. */
export async function openOperatorTokens<T>(
  config: Config,
  { realTime = systemClock, log }: Pick<AuthDeps, 'realTime' | 'log'>,
  work: (tokens: OperatorTokens) => Promise<T>,
): Promise<T> {
  const { api, worker } = createDatabases(config, log);
  const change = createChangeOperatorTokens({ worker, realTime });
  const all = { isConfigured: config.OPERATOR_TOKEN !== undefined, after: undefined, limit: 1_000 };
  try {
    return await work({
      create: async (wish) => (await change.create(wish, command)).token,
      rotate: async (name) => (await change.rotate(name, command)).token,
      revoke: (name) => change.revoke(name, command),
      list: async () => (await listOperatorTokens(worker, all)).tokens,
    });
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Ends all sessions of a restored database, and revokes again what was revoked after the backup. */
export async function runAfterRestore(
  ownerUrl: string,
  { clock, log }: AuthDeps,
  wish: AfterRestoreWish,
): Promise<AfterRestoreResult> {
  const owner = createDatabase({ url: ownerUrl, name: 'after-restore', maxConnections: 1, log });
  try {
    return await cleanUpAfterRestore({ owner, clock }, wish, command);
  } finally {
    await owner.stop();
  }
}
