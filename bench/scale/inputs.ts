import { readFileSync } from 'node:fs';

/** The inputs that a reader of docs/scale.md may change: prices, and how the machines are to be filled. */
export interface Inputs {
  readonly prices: {
    readonly coreHourUsd: number;
    readonly diskGbMonthUsd: number;
    readonly objectGbMonthUsd: number;
    readonly networkGbUsd: number;
  };
  readonly plan: {
    /** The part of what a thread or a core gets that is planned to be in use; the rest is for peaks and failures. */
    readonly useOfCapacity: number;
    readonly coresPerPostgres: number;
    readonly coresPerBroker: number;
    /** The WAL that one primary's disk takes for good. */
    readonly walMegabytesPerSecondPerPostgres: number;
    readonly copiesOfLog: number;
    readonly copiesOfPostgres: number;
    readonly logDays: number;
    readonly eventDays: number;
    readonly walArchiveDays: number;
    readonly keyDaysInTable: number;
    readonly keyPartitions: number;
    readonly gigabytesPerKeyPartition: number;
    readonly headBytesPerRequest: number;
  };
}

const committed = new URL('inputs.json', import.meta.url);

/** Another file must have every figure of the committed one, as a number above zero. */
export function readInputs(file: string | URL = committed): Inputs {
  const wanted = read(committed);
  const given = read(file);
  const wrong = (['prices', 'plan'] as const).flatMap((part) =>
    Object.keys(wanted[part])
      .filter((name) => !isAboveZero(given[part]?.[name]))
      .map((name) => `${part}.${name}`),
  );
  if (wrong.length > 0) throw new Error(`these are no numbers above zero: ${wrong.join(', ')}`);
  return given as unknown as Inputs; // compared with the committed file, which has the names of the type
}

const isAboveZero = (value: unknown): boolean => typeof value === 'number' && Number.isFinite(value) && value > 0;

type Parts = Record<'prices' | 'plan', Record<string, unknown>>;
const read = (file: string | URL): Parts => JSON.parse(readFileSync(file, 'utf8')) as Parts;
