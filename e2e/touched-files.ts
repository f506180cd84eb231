import { spawnSync } from 'node:child_process';

/**
 * The paths that the newest commits touch: since the branch left origin/main, or else by the last commit. Undefined where
 * the clone has no earlier commit.
 */
export function touchedFiles(repository: string): ReadonlySet<string> | undefined {
  const git = (...words: string[]): string | undefined => {
    const { status, stdout } = spawnSync('git', words, { cwd: repository, encoding: 'utf8' });
    return status === 0 ? stdout.trim() : undefined;
  };
  const head = git('rev-parse', '--verify', '--quiet', 'HEAD');
  const left = git('merge-base', 'HEAD', 'origin/main');
  const before = left === undefined || left === head ? git('rev-parse', '--verify', '--quiet', 'HEAD~1') : left;
  if (before === undefined) return undefined;
  const paths = git('diff', '--name-only', '-z', before, 'HEAD');
  return paths === undefined ? undefined : new Set(paths.split('\0').filter((path) => path !== ''));
}
