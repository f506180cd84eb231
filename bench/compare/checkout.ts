import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeBenchFolder } from '../products/data-folder.ts';

export interface Checkout {
  readonly root: string;
  readonly commit: string;
  remove(): Promise<void>;
}

const run = promisify(execFile);
const outputBytesMax = 64 * 1_024 * 1_024;

/** The commit in a worktree of its own, installed by its lockfile and built. */
export async function checkOut(ref: string, repository: string, progress: (text: string) => void): Promise<Checkout> {
  const parsed = await run('git', ['rev-parse', '--verify', '--end-of-options', `${ref}^{commit}`], {
    cwd: repository,
  }).catch(() => {
    throw new Error(`there is no commit ${ref}`);
  });
  const commit = parsed.stdout.trim();
  const folder = await makeBenchFolder();
  const root = join(folder.path, 'checkout');

  async function remove(): Promise<void> {
    await run('git', ['worktree', 'remove', '--force', root], { cwd: repository }).catch(() => undefined); // was it added?
    await folder.remove();
    await run('git', ['worktree', 'prune'], { cwd: repository });
  }

  try {
    progress(`checking out ${ref} (${commit.slice(0, 7)}) in ${root}`);
    await run('git', ['worktree', 'add', '--detach', root, commit], { cwd: repository });
    progress('installing its packages');
    await runPnpm(['install', '--frozen-lockfile', '--prefer-offline'], root);
    progress('building it');
    await runPnpm(['run', 'build'], root);
    return { root, commit, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Uses the pnpm that runs us, if there is one: it may not be in the PATH. */
async function runPnpm(args: readonly string[], cwd: string): Promise<void> {
  const own = process.env['npm_execpath'] ?? '';
  const [command, ...first] = own.endsWith('js') ? [process.execPath, own] : [own || 'pnpm'];
  const env = { ...process.env, CI: 'true' }; // asks nothing
  await run(command, [...first, ...args], { cwd, env, maxBuffer: outputBytesMax });
}
