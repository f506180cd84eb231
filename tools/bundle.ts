import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build, type Plugin } from 'esbuild';

/**
 * Packages that stay files of their own: `event-log` mends kafkajs as it is loaded, argon2 is native, Nest needs
 * `reflect-metadata` before any other module runs, and oidc-provider stores its objects by the names of their classes, which a
 * bundle may change.
 */
const leftOut = ['@node-rs/argon2', 'kafkajs', 'oidc-provider', 'reflect-metadata'];
/** Modules that libraries load only if a user has them: nobody here does. */
const absent = [
  '@grpc/*',
  '@nats-io/*',
  '@nestjs/websockets',
  'amqp-connection-manager',
  'amqplib',
  'class-transformer',
  'class-validator',
  'mqtt',
  'pg-native',
];
const banner = `import { createRequire as $createRequire } from 'node:module';
import { fileURLToPath as $fileURLToPath } from 'node:url';
const require = $createRequire(import.meta.url);`;

/**
 * Makes few files of the thousands of modules that a compiled service has, its libraries included, in `dist/bundle`:
 * docs/decisions/0209 has the figures. `fingerprint` says of what: see `isFresh`.
 */
export async function bundle(root: string, service: string, fingerprint: string): Promise<void> {
  const compiled = join(root, 'services', service, 'dist');
  const folder = join(compiled, 'bundle');
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(compiled, 'main.js')],
    outdir: folder,
    write: false,
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    charset: 'ascii', // for `inAscii`
    external: absent.flatMap((name) => (name.endsWith('*') ? [name] : [name, `${name}/*`])),
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: banner },
    logLevel: 'error',
    plugins: [leaveOut(folder), keepPlaces(folder)],
  });
  removeUnfinished(compiled);
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const { path, text } of outputFiles) {
    writeFileSync(join(unfinished, basename(path)), path.endsWith('.map') ? linesOnly(text) : inAscii(text));
  }
  writeFileSync(join(unfinished, 'fingerprint'), fingerprint); // `isFresh` reads it
  // A bundle of two builds would be neither: it comes to its place as a whole.
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(unfinished, { recursive: true }); // another build was first
  }
  // Nobody will ask for the code of chunks that are gone.
  rmSync(join(root, 'services', service, 'node_modules/.cache/compiled'), { recursive: true, force: true });
}

/** Removes what a build left that was killed while it wrote. */
function removeUnfinished(compiled: string): void {
  for (const name of readdirSync(compiled).filter((each) => /^bundle\.\d+$/.test(each))) {
    const pid = Number(name.slice('bundle.'.length));
    if (!isRunning(pid)) rmSync(join(compiled, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // it runs as another user
  }
}

/** Imports the packages of `leftOut` from where they are installed. */
function leaveOut(folder: string): Plugin {
  return {
    name: 'leave-out',
    setup({ onResolve }) {
      onResolve({ filter: new RegExp(`^(${leftOut.join('|')})$`) }, ({ path, importer }) => ({
        path: relative(folder, createRequire(importer).resolve(path)),
        external: true,
      }));
    },
  };
}

/** Lets modules that look for files beside themselves look where they were compiled or installed. */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    setup({ onLoad }) {
      onLoad({ filter: /\.[cm]?js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const place = `new URL(${JSON.stringify(relative(folder, path))}, import.meta.url)`;
        const contents = text
          .replaceAll('import.meta.url', `${place}.href`)
          .replaceAll('import.meta.dirname', `$fileURLToPath(new URL('.', ${place}))`);
        return { contents, resolveDir: dirname(path) };
      });
    },
  };
}

/**
 * Other characters are left in comments and regular expressions alone. With a single one V8 keeps two bytes for each of
 * millions.
 */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * A map that names the line of each of our lines. Node takes all of it apart once an error has been thrown, and keeps some
 * hundred bytes per name, bracket and line of a library too.
 */
function linesOnly(text: string): string {
  const map = JSON.parse(text) as { readonly mappings: string; readonly sources: readonly string[] };
  let isInOurs = false;
  const lines = decode(map.mappings).map(([first]): SourceMapSegment[] => {
    if (first === undefined) return [];
    const [column, source, line, sourceColumn] = first;
    const isOurs = source !== undefined && !map.sources[source]?.includes('node_modules/');
    const isEnd = isInOurs && !isOurs;
    isInOurs = isOurs;
    if (isOurs && line !== undefined && sourceColumn !== undefined) return [[column, source, line, sourceColumn]];
    return isEnd ? [[0]] : []; // a line that is not named is taken for the one before
  });
  return JSON.stringify({ ...map, names: [], mappings: encode(lines) });
}
