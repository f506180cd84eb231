import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { repository } from './workspace-packages.ts';

/** Builds a target of the Dockerfile under this tag, with what docker says. The user's `.npmrc` has the way to a registry. */
export function buildImage(target: string, tag: string): void {
  const npmrc = join(homedir(), '.npmrc');
  const secret = existsSync(npmrc) ? ['--secret', `id=npmrc,src=${npmrc}`] : [];
  const dockerfile = ['-f', 'deploy/docker/Dockerfile', '--target', target, '--tag', tag];
  execFileSync('docker', ['build', ...dockerfile, ...secret, '.'], {
    cwd: repository,
    stdio: 'inherit',
    env: { ...process.env, DOCKER_BUILDKIT: '1' },
  });
}
