import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface ConsoleFile {
  readonly type: string;
  readonly content: Buffer;
  /** The same, compressed. */
  readonly gzip: Buffer;
}

export interface ConsoleFiles {
  /** The page, with `noncePlaceholder` where the nonce of an answer belongs. */
  readonly page: string;
  /** The page of embeds, likewise. */
  readonly embed: string;
  /** Each has a name that changes with its content. */
  readonly assets: ReadonlyMap<string, ConsoleFile>;
}

const require = createRequire(import.meta.url);
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The folder that `tools/build.ts` fills. */
export function builtConsole(): string {
  return join(dirname(require.resolve('@tollgate/console/package.json')), 'dist');
}

/** Reads all files of the console at once: a later build replaces them together. Undefined if it was never built. */
export function readConsole(folder: string): ConsoleFiles | undefined {
  const page = join(folder, 'index.html');
  if (!existsSync(page)) return undefined;
  const names = readdirSync(join(folder, 'assets'));
  return {
    page: readFileSync(page, 'utf8'),
    embed: readFileSync(join(folder, 'embed.html'), 'utf8'),
    assets: new Map(names.map((name) => [name, toFile(name, readFileSync(join(folder, 'assets', name)))])),
  };
}

function toFile(name: string, content: Buffer): ConsoleFile {
  const type = types[extname(name)];
  if (type === undefined) throw new Error(`the console has a file of an unknown type: ${name}`);
  return { type, content, gzip: gzipSync(content) };
}
