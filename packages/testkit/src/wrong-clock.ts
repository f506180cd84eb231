import { writeFileSync } from 'node:fs';

/** The clock of a machine, wrong at will: monotonic time goes on as it does when a real one is set. */
export interface WrongClock {
  /** For every process of that machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Wrong by so much for processes that start from now on; those that run want the signal. */
  offBy(ms: number): void;
  readonly signal: NodeJS.Signals;
}

const preload = new URL('preload-wrong-clock.ts', import.meta.url).href;

/** `file`: where it is noted by how much. */
export function createWrongClock(file: string): WrongClock {
  const offBy = (ms: number): void => writeFileSync(file, String(ms));
  offBy(0);
  return { env: { NODE_OPTIONS: `--import=${preload}`, WRONG_CLOCK_FILE: file }, offBy, signal: 'SIGUSR2' };
}
