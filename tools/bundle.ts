import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';

import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import { build, type Plugin } from 'esbuild';

/**
 * Packages that stay files of their own: `event-log` mends kafkajs as it is loaded, argon2 is native, and Nest needs
 * `reflect-metadata` before any other module runs.
 */
const leftOut = ['@node-rs/argon2', 'kafkajs', 'reflect-metadata'];
/** What libraries load only if a user has it: nobody here does. */
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
/** The map of a file that has none: stack traces show the bundle there. */
const noMap = `\n//# sourceMappingURL=data:application/json;base64,${btoa('{"version":3,"sources":[""],"mappings":"A"}')}`;

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
    // CommonJS inside of it has a `require`.
    banner: { js: banner },
    logLevel: 'error',
    plugins: [leaveOut(folder), keepPlaces(folder)],
  });
  // A bundle of two builds would be neither: it comes to its place as a whole.
  const unfinished = `${folder}.${process.pid}`;
  mkdirSync(unfinished, { recursive: true });
  for (const { path, text } of outputFiles) {
    writeFileSync(join(unfinished, basename(path)), path.endsWith('.map') ? linesOnly(text) : inAscii(text));
  }
  writeFileSync(join(unfinished, 'fingerprint'), fingerprint); // `isFresh` reads it
  rmSync(folder, { recursive: true, force: true });
  renameSync(unfinished, folder);
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
        return { contents: path.includes('/node_modules/') ? contents + noMap : contents, resolveDir: dirname(path) };
      });
    },
  };
}

/** Comments alone have other characters here. With a single one V8 keeps two bytes for each of millions. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\0-\x7F]/g, '?');
}

/**
 * A map that names the line of each line. With each name and bracket too, Node keeps 70 MB of it once an error has been
 * thrown.
 */
function linesOnly(text: string): string {
  const map = JSON.parse(text) as { readonly mappings: string; readonly sources: readonly string[] };
  let isMapped = false;
  const lines = decode(map.mappings).map(([first]): SourceMapSegment[] => {
    const isOurs = first?.[1] !== undefined && map.sources[first[1]] !== '';
    const isTold = isOurs || (isMapped && first !== undefined); // a line that is not told is taken for the one before
    isMapped = isOurs || (isMapped && !isTold);
    return isTold ? [first] : [];
  });
  return JSON.stringify({ ...map, mappings: encode(lines) });
}
