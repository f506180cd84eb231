import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Verdict } from './judge-row.ts';
import type { MachineDescription } from './machine/describe-machine.ts';

export interface Result extends Verdict, MachineDescription {
  readonly id: string;
  readonly command: string;
  /** How long the load of one round lasted, where the row has a load that lasts. */
  readonly secondsPerRound: number;
  readonly measuredAt: string;
  /** The valid run before this one; absent where this is the first. */
  readonly before?: EarlierRun;
}

/** The part of a run that is kept when a later one takes its place. */
export type EarlierRun = Pick<Result, 'ceiling' | 'figure' | 'ratio' | 'met' | 'smaller' | 'commit' | 'measuredAt'>;

const folder = new URL('results/', import.meta.url);

/** A void run goes beside the valid one, and never in its place: `<id>.void.json` is not committed. */
export function writeResult(result: Result): string {
  mkdirSync(folder, { recursive: true });
  const voidFile = new URL(`${result.id}.void.json`, folder);
  if (result.void !== undefined) return write(voidFile, result);
  rmSync(voidFile, { force: true });
  return write(new URL(`${result.id}.json`, folder), withRunBefore(result, readResult(result.id)));
}

function write(file: URL, result: Result): string {
  writeFileSync(file, `${JSON.stringify(result, undefined, 2)}\n`);
  return file.pathname;
}

export function withRunBefore(result: Result, last: Result | undefined): Result {
  if (last === undefined) return result;
  const { ceiling, figure, ratio, met, smaller, commit, measuredAt } = last;
  const before = { ceiling, figure, ratio, met, ...(smaller && { smaller }), commit, measuredAt };
  return { ...result, before };
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
