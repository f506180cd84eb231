import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';

interface PackedManifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: object;
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean };
}

/**
 * Finds what keeps a packed package from being released. It looks into the tarball, which is all that a registry gets.
 */
export function problemsOfTarball(tarball: string, version: string): string[] {
  const files = tar(['-tzf', tarball]).split('\n');
  const wanted = ['LICENSE', 'README.md', 'CHANGELOG.md'];
  const lacking = wanted.filter((name) => !files.includes(`package/${name}`));
  const read = (name: string): string => tar(['-xzOf', tarball, `package/${name}`]);
  const manifest = JSON.parse(read('package.json')) as PackedManifest; // npm has packed it
  const changes = lacking.includes('CHANGELOG.md') ? '' : read('CHANGELOG.md');
  const inside = files.filter((file) => /^package\/node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(file));
  const needy = inside.filter((file) => {
    const part = JSON.parse(read(file.slice('package/'.length))) as PackedManifest;
    return part.dependencies !== undefined;
  });
  const empty = wanted.filter((name) => !lacking.includes(name) && read(name).trim() === '');
  const problems = [
    ...lacking.map((name) => `has no ${name}`),
    // npm 9, which Debian has, takes what a bundled package needs for bundled, too, and installs an empty folder for it.
    ...needy.map((file) => `has dependencies in ${file.slice('package/'.length)}`),
    ...empty.map((name) => `has an empty ${name}`),
    ...(manifest.version === version ? [] : [`is ${manifest.version}, not ${version}`]),
    ...(changes.includes(`## ${version}\n`) ? [] : [`says nothing of ${version} in CHANGELOG.md`]),
    ...(manifest.license === 'Apache-2.0' ? [] : ['names no licence']),
    ...(manifest.publishConfig?.access === 'public' ? [] : ['is not published for everybody']),
    ...(manifest.publishConfig?.provenance === true ? [] : ['is published without provenance']),
  ];
  return problems.map((problem) => `${basename(tarball)} ${problem}`);
}

function tar(args: readonly string[]): string {
  return execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}
