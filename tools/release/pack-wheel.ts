import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './workspace-packages.ts';

const client = join(repository, 'clients/python');

/** Builds the wheel of the client for Python, and its source archive, into a folder. Returns the path of the wheel. */
export function packWheel(into: string): string {
  const environment = join(into, 'build-environment');
  python('python3', ['-m', 'venv', environment]);
  const own = join(environment, 'bin/python');
  python(own, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', 'build==1.6.1']);
  python(own, ['-m', 'build', '--outdir', into, client]);
  const [wheel = ''] = globSync('tollgate-*.whl', { cwd: into });
  return join(into, wheel);
}

/** What keeps a wheel from being released. */
export function problemsOfWheel(wheel: string): string[] {
  const names = python('python3', ['-m', 'zipfile', '--list', wheel]);
  const version = /^version = "(.+)"$/m.exec(read('pyproject.toml'))?.[1] ?? '';
  const wanted = ['tollgate/py.typed', `tollgate-${version}.dist-info/licenses/LICENSE`];
  return [
    ...wanted.filter((name) => !names.includes(name)).map((name) => `${wheel} has no ${name}`),
    ...(read('src/tollgate/_version.py').includes(`"${version}"`) ? [] : ['_version.py has another version']),
    ...(existsSync(join(client, 'CHANGELOG.md')) && read('CHANGELOG.md').includes(`## ${version}\n`)
      ? []
      : [`clients/python/CHANGELOG.md says nothing of ${version}`]),
  ];
}

function python(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function read(name: string): string {
  return readFileSync(join(client, name), 'utf8');
}
