import { parseArgs } from 'node:util';
import type { Row, Sizes } from './row.ts';

export type Command =
  | { readonly kind: 'help' | 'list' | 'readme' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'run' | 'compare'; readonly rows: readonly Row[]; readonly options: RunOptions };

export interface RunOptions {
  readonly rounds: number | undefined;
  readonly seconds: number;
  readonly sizes: Sizes;
  /** The commit that `--compare` names. */
  readonly ref: string;
}

export const helpText = `pnpm bench [id…]: measures the claims about speed, each row beside its ceiling

  --list              the rows
  --rounds <n>        rounds per row, by default 5; to compare 10
  --seconds <n>       how long the load of one round lasts, by default 5
  --events <n>        events per round of R4, stored events of R5, backlog of R3
  --pairs <n>         (consumer, tool) pairs of R10, R10b and R10c
  --outage <seconds>  length of the outage of R12 and R13
  --compare <ref>     this checkout against a commit: faster, slower or same; exits with 1 when slower
  --readme            writes bench/README.md anew from the results there are
`;

const wholeNumber = /^[1-9]\d*$/;

export function parseCommandLine(args: readonly string[], all: readonly Row[]): Command {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) };
  }
  const { values, positionals } = parsed;
  if (values.help) return { kind: 'help' };
  if (values.list) return { kind: 'list' };
  if (values.readme) return { kind: 'readme' };
  const { rounds, seconds, events, pairs, outage } = values;
  const numbers = { rounds, seconds, events, pairs, outage };
  const wrong = Object.entries(numbers).find(([, text]) => text !== undefined && !wholeNumber.test(text));
  if (wrong) return { kind: 'refused', reason: `--${wrong[0]} takes a whole number above zero, not ${wrong[1]}` };
  const options = {
    rounds: toNumber(rounds),
    seconds: toNumber(seconds) ?? 5,
    sizes: definedOf({ events: toNumber(events), pairs: toNumber(pairs), outageSeconds: toNumber(outage) }),
    ref: values.compare ?? '',
  };
  return chooseRows(positionals, all, { kind: values.compare === undefined ? 'run' : 'compare', options });
}

function parse(args: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  return parseArgs({
    args: args.filter((arg) => arg !== '--'),
    allowPositionals: true,
    options: {
      help: { ...flag, short: 'h' },
      list: flag,
      readme: flag,
      compare: text,
      rounds: text,
      seconds: text,
      events: text,
      pairs: text,
      outage: text,
    },
  });
}

function chooseRows(
  ids: readonly string[],
  all: readonly Row[],
  { kind, options }: { kind: 'run' | 'compare'; options: RunOptions },
): Command {
  const unknown = ids.filter((id) => !all.some((row) => isNamed(row, id)));
  if (unknown.length > 0) return { kind: 'refused', reason: `there is no row ${unknown.join(', ')}` };
  const named = ids.length === 0 ? all : all.filter((row) => ids.some((id) => isNamed(row, id)));
  if (kind !== 'compare') return { kind, rows: named, options };
  const rigid = named.filter(({ isComparable }) => !isComparable).map(({ id }) => id);
  if (ids.length > 0 && rigid.length > 0)
    return { kind: 'refused', reason: `${rigid.join(', ')} cannot run another checkout, so they cannot be compared` };
  return { kind, rows: named.filter(({ isComparable }) => isComparable), options };
}

function isNamed({ id, family }: Row, name: string): boolean {
  return [id, family].some((each) => each?.toLowerCase() === name.toLowerCase());
}

const toNumber = (text: string | undefined): number | undefined => (text === undefined ? undefined : Number(text));

function definedOf(sizes: { [Name in keyof Sizes]: Sizes[Name] | undefined }): Sizes {
  return Object.fromEntries(Object.entries(sizes).filter(([, value]) => value !== undefined)) as Sizes; // the rest is left out
}
