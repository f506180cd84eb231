import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Verdict } from './judge-row.ts';
import type { MachineDescription } from './machine/describe-machine.ts';

export interface Result extends Verdict, MachineDescription {
  readonly id: string;
  readonly command: string;
  /** How long the load of one round lasted, where the row has a load that lasts. */
  readonly secondsPerRound: number;
  readonly measuredAt: string;
}

const folder = new URL('results/', import.meta.url);

/** A void run goes beside the valid one, and never in its place: `<id>.void.json` is not committed. */
export function writeResult(result: Result): string {
  mkdirSync(folder, { recursive: true });
  const voidFile = new URL(`${result.id}.void.json`, folder);
  const file = result.void === undefined ? new URL(`${result.id}.json`, folder) : voidFile;
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  if (result.void === undefined) rmSync(voidFile, { force: true });
  return file.pathname;
}

/** The valid result of a row; undefined: it was never taken. */
export function readResult(id: string): Result | undefined {
  try {
    return JSON.parse(readFileSync(new URL(`${id}.json`, folder), 'utf8')) as Result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
