import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

// JavaScript, since a start reads it: for TypeScript Node loads a stripper, which takes 18 MB that it never gives back.

const shared = [
  'package.json',
  'tsconfig.base.json',
  'tools/bundle.ts',
  'tools/freshness.js',
  'node_modules/.pnpm/lock.yaml',
];

/**
 * Changes with any file that a bundle is made of: by name, time and size, as compilers look.
 *
 * @param {string} root the repository
 * @returns {string} a hash
 */
export function fingerprintOf(root) {
  return hashOf([...shared.map((name) => join(root, name)), ...partsOf(root).flatMap(filesOf)]);
}

/** @param {readonly string[]} files */
function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const stat = statSync(file, { throwIfNoEntry: false });
    hash.update(`${file} ${stat?.mtimeMs} ${stat?.size}\n`);
  }
  return hash.digest('hex');
}

/**
 * Whether the bundle of a service is made of what the repository has now.
 *
 * @param {string} root the repository
 * @param {string} service the name of its folder
 * @returns {boolean}
 */
export function isFresh(root, service) {
  const file = join(root, 'services', service, 'dist/bundle/fingerprint');
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprintOf(root);
}

const ofConsole = [
  'package.json',
  'packages/console/package.json',
  'packages/console/index.html',
  'packages/console/vite.config.ts',
  'packages/sdk/src/generated/operations.ts',
  'tools/build-console.ts',
  'node_modules/.pnpm/lock.yaml',
];

/**
 * Changes with any file that the console is made of.
 *
 * @param {string} root the repository
 * @returns {string} a hash
 */
export function consoleFingerprintOf(root) {
  const sources = join(root, 'packages/console/src');
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (name) => !name.endsWith('.test.ts'),
  );
  return hashOf([...ofConsole.map((name) => join(root, name)), ...names.sort().map((name) => join(sources, name))]);
}

/**
 * Whether the built console is made of what the repository has now; true where there is none to build.
 *
 * @param {string} root the repository
 * @returns {boolean}
 */
export function isConsoleFresh(root) {
  if (!existsSync(join(root, 'packages/console/index.html'))) return true;
  const file = join(root, 'packages/console/dist/fingerprint');
  return existsSync(file) && readFileSync(file, 'utf8') === consoleFingerprintOf(root);
}

/** @param {string} root the repository */
function partsOf(root) {
  return ['packages', 'services'].flatMap((kind) => {
    const folder = join(root, kind);
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name !== 'console') : [];
    return names.map((name) => join(folder, name));
  });
}

/** @param {string} part the folder of a package or a service */
function filesOf(part) {
  const sources = join(part, 'src');
  const names = existsSync(sources) ? readdirSync(sources, { recursive: true, encoding: 'utf8' }) : [];
  const compiled = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  return [
    join(part, 'package.json'),
    join(part, 'tsconfig.build.json'),
    ...compiled.map((name) => join(sources, name)),
  ];
}
