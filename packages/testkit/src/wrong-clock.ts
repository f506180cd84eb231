import { writeFileSync } from 'node:fs';

/** A machine's clock that a test sets wrong. Monotonic time goes on, as on a real machine. */
export interface WrongClock {
  /** The environment for every process of the machine. */
  readonly env: Readonly<Record<string, string>>;
  /** Shifts the clock for later processes by `ms`. A running process needs the signal. */
  offBy(ms: number): void;
  readonly signal: NodeJS.Signals;
}

const preload = new URL('preload-wrong-clock.ts', import.meta.url).href;

/** `file` holds the shift in ms. */
export function createWrongClock(file: string): WrongClock {
  const offBy = (ms: number): void => writeFileSync(file, String(ms));
  offBy(0);
  return { env: { NODE_OPTIONS: `--import=${preload}`, WRONG_CLOCK_FILE: file }, offBy, signal: 'SIGUSR2' };
}
