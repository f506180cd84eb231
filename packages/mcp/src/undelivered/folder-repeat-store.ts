import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { nowMs as systemNowMs } from '../clock.ts';
import { answersMaxDefault, bytesMaxDefault, keepMsDefault } from './repeat-store.ts';
import type { RepeatStore, RepeatStoreBounds } from './repeat-store.ts';

/** A file is named `<name>.<until, in ms>.<bytes>.<id>`; one that is being written begins with a dot. */
interface KeptFile {
  readonly file: string;
  readonly name: string;
  readonly untilMs: number;
  readonly bytes: number;
}

/**
 * Keeps answers in a folder that the processes of a server share, for its owner alone. A file is there whole or not at
 * all. It survives a killed process; a machine that loses its power may lose it.
 */
export function createFolderRepeatStore(folder: string, bounds: RepeatStoreBounds = {}): RepeatStore {
  const { keepMs = keepMsDefault, bytesMax = bytesMaxDefault, answersMax = answersMaxDefault } = bounds;
  const nowMs = bounds.nowMs ?? systemNowMs;
  mkdirSync(folder, { recursive: true, mode: 0o700 });

  async function oldestFirst(): Promise<KeptFile[]> {
    const files = (await readdir(folder)).map(toKeptFile);
    const kept = files.filter((file) => file !== undefined);
    return kept.sort((a, b) => a.untilMs - b.untilMs);
  }

  async function dropTooMuch(): Promise<void> {
    const kept = await oldestFirst();
    let bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
    for (const [index, file] of kept.entries()) {
      if (file.untilMs > nowMs() && bytes <= bytesMax && kept.length - index <= answersMax) return;
      bytes -= file.bytes;
      await rm(join(folder, file.file), { force: true });
    }
  }

  return {
    async put(name, answer) {
      const file = `${name}.${nowMs() + keepMs}.${answer.length}.${randomUUID()}`;
      await writeFile(join(folder, `.${file}`), answer, { mode: 0o600 });
      await rename(join(folder, `.${file}`), join(folder, file));
      await dropTooMuch();
    },
    async take(name) {
      const found = (await oldestFirst()).filter((kept) => kept.name === name && kept.untilMs > nowMs());
      for (const { file } of found) {
        const answer = await takeFile(join(folder, file));
        if (answer !== undefined) return answer;
      }
      return undefined;
    },
  };
}

/** The process that removes the file has its answer. Undefined: another one has. */
async function takeFile(path: string): Promise<Uint8Array | undefined> {
  try {
    const answer = await readFile(path);
    await unlink(path);
    return answer;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Undefined: it is none of a store. One that a killed process began to write has a name that nobody asks for. */
function toKeptFile(file: string): KeptFile | undefined {
  const [, name = '', untilMs, bytes] = /^(\.?[\w-]+)\.(\d+)\.(\d+)\.[\w-]+$/.exec(file) ?? [];
  return name === '' ? undefined : { file, name, untilMs: Number(untilMs), bytes: Number(bytes) };
}
