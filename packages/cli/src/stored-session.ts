import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Stored {
  readonly url: string;
  readonly access_token: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Ours in the folder where the operating system keeps settings. */
export function settingsFolder(environment: Environment): string {
  const { APPDATA, XDG_CONFIG_HOME, HOME = homedir() } = environment;
  if (process.platform === 'win32' && APPDATA) return join(APPDATA, 'tollgate');
  if (process.platform === 'darwin') return join(HOME, 'Library', 'Application Support', 'tollgate');
  return join(XDG_CONFIG_HOME || join(HOME, '.config'), 'tollgate');
}

/** Its owner alone can read it. */
function pathOf(environment: Environment): string {
  return join(settingsFolder(environment), 'session.json');
}

/** One per address, the newest sign-in first. */
export function readStored(environment: Environment): readonly Stored[] {
  try {
    const { sessions } = JSON.parse(readFileSync(pathOf(environment), 'utf8')) as { sessions?: readonly Stored[] };
    return sessions ?? [];
  } catch {
    return []; // there is none, or it is torn: sign in again
  }
}

/** Replaces all of them. */
export function store(environment: Environment, sessions: readonly Stored[]): void {
  const path = pathOf(environment);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  rmSync(`${path}.new`, { force: true });
  if (sessions.length === 0) return rmSync(path, { force: true });
  writeFileSync(`${path}.new`, `${JSON.stringify({ sessions })}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
