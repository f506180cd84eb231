import { InvalidArgumentError } from 'commander';

/** An amount of a command line, as the wire has it: a JSON number. The service checks how many decimals it may have. */
export function toUsd(text: string): number {
  if (/^\d{1,9}(\.\d{1,6})?$/.test(text)) return Number(text); // so few digits are exact in the shortest spelling
  throw new InvalidArgumentError('It must be an amount of dollars, such as 5 or 0.05.');
}
