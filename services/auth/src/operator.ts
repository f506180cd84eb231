import { createNotifications } from '@tollgate/database/notifications';
import { createSetPassword, type NewPassword } from './accounts/set-password.ts';
import { wirePasswords } from './accounts/wire-passwords.ts';
import type { Config } from './config.ts';
import { createDatabases } from './create-databases.ts';
import type { AuthDeps } from './service.ts';
import { wireSigningKeys } from './signing-keys/wire.ts';

/** Sets the password of an owner who forgot it. All sessions of the account end, and its API keys if asked. */
export async function setPassword(config: Config, { clock, log }: AuthDeps, wish: NewPassword): Promise<void> {
  const { api, worker } = createDatabases(config, log);
  try {
    await createSetPassword({ api, worker, clock, ...wirePasswords(config) })(wish);
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}

/** Replaces the signing key at once. Nobody is signed out. Returns the id of the new key. */
export async function rotateSigningKey(config: Config, { clock, log }: AuthDeps): Promise<string> {
  const { api, worker } = createDatabases(config, log);
  const notifications = createNotifications({ url: config.DATABASE_WORKER_URL, log }); // never started: nothing is followed
  try {
    return await wireSigningKeys(config, { worker, notifications, clock, log }).useCases.rotateSigningKey();
  } finally {
    await Promise.all([api.stop(), worker.stop()]);
  }
}
