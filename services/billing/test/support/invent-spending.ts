import { readFileSync } from 'node:fs';
import { dayMs, hourMs } from '@tollgate/kernel/durations';
import type { SeededRandom } from '@tollgate/testkit/seeded-random';

/** Reads the minutes of the hour of real calls, in micro-dollars: context tokens at 1, generated tokens at 4. */
function readRealMinutes(name: 'code' | 'conv'): number[] {
  const file = new URL(`../../../../examples/azure-llm-2023/${name}.csv`, import.meta.url);
  const minutes = new Map<string, number>();
  for (const row of readFileSync(file, 'utf8').trim().split('\n').slice(1)) {
    const [time = '', context, generated] = row.split(',');
    const minute = time.slice(0, 16);
    minutes.set(minute, (minutes.get(minute) ?? 0) + Number(context) + 4 * Number(generated));
  }
  const [first = '', last = ''] = [[...minutes.keys()].toSorted()[0], [...minutes.keys()].toSorted().at(-1)];
  const count = (Date.parse(`${last}Z`) - Date.parse(`${first}Z`)) / 60_000;
  return Array.from({ length: count }, (_, index) => {
    const minute = new Date(Date.parse(`${first}Z`) + index * 60_000).toISOString().slice(0, 16).replace('T', ' ');
    return minutes.get(minute) ?? 0; // the coding service has minutes without a call
  });
}

/** Made once: the minutes of each service, as parts of its mean minute. */
const realMinutes = { code: inParts(readRealMinutes('code')), conv: inParts(readRealMinutes('conv')) };

function inParts(minutes: readonly number[]): number[] {
  const mean = minutes.reduce((sum, minute) => sum + minute, 0) / minutes.length;
  return minutes.map((minute) => minute / mean);
}

export const rhythms = ['office', 'always', 'evenings', 'nightly', 'weekly', 'sparse'] as const;
export type Rhythm = (typeof rhythms)[number];
export const kinds = ['loop', 'burst', 'shift'] as const;

export interface Planted {
  readonly kind: (typeof kinds)[number];
  readonly fromMs: number;
  readonly toMs: number;
}

export interface InventedAccount {
  readonly rhythm: Rhythm;
  readonly startMs: number;
  readonly hours: readonly bigint[];
  readonly holidays: readonly number[];
  readonly planted: Planted | undefined;
}

export interface Invention {
  readonly rhythm: Rhythm;
  readonly kind: Planted['kind'] | undefined;
  readonly startMs: number;
  readonly days: number;
  /** Anomalies are planted from this day on. */
  readonly calmDays: number;
}

/** The part of a usual hour that an hour of the day has, in UTC. */
const partOfHour: Readonly<Record<Rhythm, (hour: number) => number>> = {
  office: (hour) => (hour >= 8 && hour < 18 ? 1 : 0.08),
  always: (hour) => 0.8 + 0.2 * Math.sin((hour / 24) * 2 * Math.PI),
  evenings: (hour) => (hour >= 17 && hour < 24 ? 1 : 0.25),
  nightly: (hour) => (hour === 2 ? 12 : 0.2), // a batch job
  weekly: () => 0.15,
  sparse: (hour) => (hour >= 7 && hour < 22 ? 1 : 0),
};

/** The part of a usual day that a day of the week has; 0 is a Thursday. */
function partOfDay(rhythm: Rhythm, weekday: number): number {
  const isWeekend = weekday === 2 || weekday === 3;
  if (rhythm === 'office' || rhythm === 'sparse') return isWeekend ? 0.1 : 1;
  if (rhythm === 'evenings') return isWeekend ? 1.6 : 1;
  return rhythm === 'weekly' && weekday === 4 ? 8 : 1; // the report of each Monday
}

/**
 * Invents what an account spent: the real hour's minutes, drawn in runs of ten, times a rhythm of the day and the week, a
 * noise of days that lasts (AR 0.5, standard deviation 0.15), a growth between -10 % and +25 % a month, and holidays. A
 * sparse account makes four runs of calls a day at most.
 */
export function inventSpending(random: SeededRandom, invention: Invention): InventedAccount {
  const { rhythm, startMs, days } = invention;
  const minutes = random.pick([realMinutes.code, realMinutes.conv]);
  const usdPerHour = 10 ** (random.next() * 3 - 1); // 0.1 to 100 dollars
  const growth = Math.log(0.9 + random.next() * 0.35) / 30;
  const holidays = inventHolidays(random, days);
  const amounts: number[] = [];
  let noise = 0;
  for (let day = 0; day < days; day += 1) {
    noise = 0.5 * noise + Math.sqrt(0.75) * 0.15 * normal(random);
    const weekday = (startMs / dayMs + day) % 7;
    const level = Math.exp(noise + growth * day) * partOfDay(rhythm, weekday) * (holidays.includes(day) ? 0.1 : 1);
    for (let hour = 0; hour < 24; hour += 1)
      amounts.push(usdPerHour * 1e6 * level * partOfHour[rhythm](hour) * drawHour(random, minutes, rhythm));
  }
  const planted = plant(random, invention, amounts);
  return { rhythm, startMs, hours: amounts.map((amount) => BigInt(Math.round(amount))), holidays, planted };
}

/** A usual hour is about one. */
function drawHour(random: SeededRandom, minutes: readonly number[], rhythm: Rhythm): number {
  if (rhythm === 'sparse' && !random.chance(0.25)) return 0;
  let sum = 0;
  for (let run = 0; run < 6; run += 1) {
    const first = random.integer(0, minutes.length - 10);
    for (let minute = first; minute < first + 10; minute += 1) sum += minutes[minute] ?? 0;
  }
  return sum / 60;
}

/** One free day in most months; every third account rests for a week, too. */
function inventHolidays(random: SeededRandom, days: number): number[] {
  const single = Array.from({ length: Math.floor(days / 30) }, () => random.integer(0, days - 1));
  if (!random.chance(1 / 3)) return single;
  const first = random.integer(30, days - 8);
  return [...single, ...Array.from({ length: 7 }, (_, index) => first + index)];
}

/** Adds an anomaly to the amounts, on a day that is no holiday of a week. */
function plant(random: SeededRandom, { kind, startMs, days, calmDays }: Invention, amounts: number[]) {
  if (kind === undefined) return;
  const first = random.integer(calmDays, days - 15) * 24 + random.integer(0, 23);
  const week = amounts.slice(first - 7 * 24, first);
  const mean = week.reduce((sum, amount) => sum + amount, 0) / week.length;
  const change = {
    loop: { hours: random.integer(6, 30), to: (amount: number) => amount + mean * (6 + random.next() * 10) },
    burst: { hours: 1, to: (amount: number) => amount + mean * (15 + random.next() * 25) },
    shift: { hours: amounts.length - first, to: (amount: number) => amount * factor },
  }[kind];
  const factor = 3 + random.next() * 3;
  for (let hour = first; hour < first + change.hours; hour += 1) amounts[hour] = change.to(amounts[hour] ?? 0);
  const fromMs = startMs + first * hourMs;
  return { kind, fromMs, toMs: fromMs + change.hours * hourMs };
}

/** From a standard normal distribution (Box and Muller). */
function normal(random: SeededRandom): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
