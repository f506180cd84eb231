import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The root of the repository, with a slash at its end. */
export const repository = fileURLToPath(new URL('../../../../', import.meta.url));

/**
 * The commit that is checked out; undefined if another file than docs/faults.md differs from it. What ran on such a tree
 * cannot be run again, so it is not recorded.
 */
export function cleanCommit(): string | undefined {
  const git = (args: readonly string[]) => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim();
  const changes = git(['status', '--porcelain', '--', '.', ':!docs/faults.md']);
  return changes === '' ? git(['rev-parse', '--short', 'HEAD']) : undefined;
}
