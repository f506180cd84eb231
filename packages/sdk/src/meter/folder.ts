import { constants } from 'node:fs';
import {
  access,
  appendFile,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { join } from 'node:path';
import { parseCursor, toCursor } from './spool-format.ts';
import { cursorName, parseSpoolFile, type SpoolFile } from './spool-names.ts';

const privateFile = 0o600;

/** The folder of a spool: its files by their names. */
export interface Folder {
  readonly path: string;
  files(): Promise<SpoolFile[]>;
  has(name: string): Promise<boolean>;
  /** In bytes. Undefined if there is no such file. */
  size(name: string): Promise<number | undefined>;
  /** Undefined if there is no such file. */
  read(name: string): Promise<Buffer | undefined>;
  /** Fails if the file exists. */
  create(name: string): Promise<FileHandle>;
  open(name: string): Promise<FileHandle | undefined>;
  /** False if there is no such file any more. */
  rename(from: string, to: string): Promise<boolean>;
  remove(name: string): Promise<void>;
  write(name: string, text: string): Promise<void>;
  /** Writes and renames: a reader sees the old text or the new one. */
  replace(name: string, text: string): Promise<void>;
  /** Appends and flushes. */
  appendDurably(name: string, text: string): Promise<void>;
  readCursor(segment: string): Promise<number>;
  writeCursor(segment: string, offset: number): Promise<void>;
  /** Makes the names of new files durable. */
  sync(): Promise<void>;
}

/** Creates the folder if need be. Throws if nothing can be written there. */
export async function openFolder(path: string): Promise<Folder> {
  await requireWritable(path);
  return folderAt(path);
}

/** A folder that is only read may be one that cannot be written. */
export function folderAt(path: string): Folder {
  const at = (name: string): string => join(path, name);
  /** A folder that is away, as a disk in trouble may be, says nothing about its files. */
  const onlyIfMissing =
    <Value>(value: Value) =>
    async (error: NodeJS.ErrnoException): Promise<Value> => {
      if (error.code !== 'ENOENT') throw error;
      await access(path);
      return value;
    };
  const replace = async (name: string, text: string): Promise<void> => {
    await writeFile(at(`${name}.tmp`), text, { mode: privateFile });
    await rename(at(`${name}.tmp`), at(name));
  };
  return {
    path,
    files: async () => (await readdir(path)).flatMap((name) => parseSpoolFile(name) ?? []),
    has: (name) => access(at(name)).then(() => true, onlyIfMissing(false)),
    size: (name) => stat(at(name)).then(({ size }) => size, onlyIfMissing(undefined)),
    read: (name) => readFile(at(name)).catch(onlyIfMissing(undefined)),
    create: (name) => open(at(name), 'wx', privateFile),
    open: (name) => open(at(name), 'r').catch(onlyIfMissing(undefined)),
    rename: (from, to) => rename(at(from), at(to)).then(() => true, onlyIfMissing(false)),
    remove: (name) => rm(at(name), { force: true }),
    write: (name, text) => writeFile(at(name), text, { flag: 'w', mode: privateFile }),
    replace,
    appendDurably: (name, text) => appendFile(at(name), text, { flush: true, mode: privateFile }),
    async readCursor(segment) {
      const bytes = await readFile(at(cursorName(segment))).catch(onlyIfMissing(undefined));
      return (bytes && parseCursor(bytes)) ?? 0;
    },
    writeCursor: (segment, offset) => replace(cursorName(segment), toCursor(offset)),
    sync: () => syncFolder(path),
  };
}

async function requireWritable(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    const probe = join(path, `${process.pid}.probe`); // root may write by its rights, and not on a disk that is read-only
    await writeFile(probe, '');
    await rm(probe);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Error(`the spool folder ${path} cannot be written (${code}): choose another \`dir\``, { cause: error });
  }
}

/** Windows has no such operation, and needs none. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
