import { CommandError } from './command-error.ts';

/** Throws for a `--period` that is given and is no month. */
export function requirePeriod(period: string | undefined): void {
  if (period === undefined || /^2\d{3}-(0[1-9]|1[0-2])$/.test(period)) return;
  throw new CommandError(`--period is a month such as 2026-11, not ${period}`);
}
