import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readManifest, repository } from './workspace-packages.ts';

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

/** Finds what keeps a wheel from being released. It looks into the wheel. Its version is that of the npm packages. */
export function problemsOfWheel(wheel: string): string[] {
  const { version } = readManifest(join(repository, 'packages/sdk'));
  const names = python('python3', ['-m', 'zipfile', '--list', wheel]);
  const info = `tollgate-${version}.dist-info`;
  const wanted = ['tollgate/py.typed', `${info}/licenses/LICENSE`, `${info}/METADATA`];
  const lacking = wanted.filter((name) => !names.includes(name));
  const problems = [
    ...lacking.map((name) => `has no ${name}`),
    ...(lacking.includes(`${info}/METADATA`) ? [] : problemsOfMetadata(readInside(wheel, `${info}/METADATA`), version)),
    ...(readInside(wheel, 'tollgate/_version.py').includes(`"${version}"`) ? [] : [`has another _version.py`]),
    ...(read('CHANGELOG.md').includes(`## ${version}\n`) ? [] : [`has no changes of ${version} in CHANGELOG.md`]),
  ];
  return problems.map((problem) => `${basename(wheel)} ${problem}`);
}

/** Checks the text that a package's page is made of: fields, an empty line, and the README. */
export function problemsOfMetadata(metadata: string, version: string): string[] {
  const end = metadata.indexOf('\n\n');
  const [fields, description] = [metadata.slice(0, end).split('\n'), metadata.slice(end + 2)];
  const wanted = [
    'Name: tollgate',
    `Version: ${version}`,
    'License-Expression: Apache-2.0',
    'License-File: LICENSE',
    'Description-Content-Type: text/markdown',
  ];
  return [
    ...wanted.filter((field) => !fields.includes(field)).map((field) => `does not say "${field}"`),
    ...(description.trim() === read('README.md').trim() ? [] : ['has another description than README.md']),
  ];
}

function readInside(wheel: string, name: string): string {
  const program = 'import sys, zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())';
  return python('python3', ['-X', 'utf8', '-c', program, wheel, name]);
}

function python(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function read(name: string): string {
  return readFileSync(join(client, name), 'utf8');
}
