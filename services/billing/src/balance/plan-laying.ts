/** Money of a grant, and the calls that it pays for. */
export interface GrantPool {
  readonly creditId: string;
  /** It pays for calls from then on. */
  readonly fromMs: number;
  /** And before then; null: for ever. */
  readonly endsMs: number | null;
  readonly cents: bigint;
}

/** The charge of a span of time: an hour, or the month in which calls were counted late. It may be below 0. */
export interface SpanCharge {
  readonly startMs: number;
  readonly endMs: number;
  readonly micros: bigint;
}

/** Whole cents of charges that lie beside each other, and who pays them. */
export interface LaidRun {
  /** Null: no grant. Top-ups and the card pay them. */
  readonly creditId: string | null;
  readonly startMs: number;
  readonly endMs: number;
  readonly cents: bigint;
}

export interface LayingFacts {
  /** The rest that the last invoice that billed something carried out: less than a cent. */
  readonly carriedMicros: bigint;
  /** The cent that began with it, if a grant pays it. */
  readonly carried: LaidRun | undefined;
  /** In the order in which they are spent. */
  readonly pools: readonly GrantPool[];
  /** In the order of time. */
  readonly charges: readonly SpanCharge[];
}

/**
 * Lays charges on grants, span by span. A cent belongs to the span in which it begins. A grant pays for a span if it was
 * valid in any part of it. A charge below 0 gives back what was laid last. Later spans change nothing of earlier ones.
 */
export function planLaying({ carriedMicros, carried, pools, charges }: LayingFacts): LaidRun[] {
  const left = pools.map(({ cents }) => cents);
  const runs: PooledRun[] = [];
  let [chargedMicros, begunCents] = [0n, 0n];
  const first = { startMs: 0, endMs: 0, ...carried, micros: carriedMicros };
  charge(first, carried === undefined ? isNobodys : ({ creditId }) => creditId === carried.creditId);
  for (const span of charges) charge(span, (pool) => isValidIn(pool, span));
  return merge(runs);

  function charge(span: SpanCharge, pays: (pool: GrantPool) => boolean): void {
    chargedMicros += span.micros;
    const wanted = begunIn(chargedMicros);
    if (wanted > begunCents) lay(span, wanted - begunCents, pays);
    else giveBack(begunCents - wanted);
    begunCents = wanted;
  }

  function lay({ startMs, endMs }: SpanCharge, cents: bigint, pays: (pool: GrantPool) => boolean): void {
    let wanted = cents;
    for (const [place, pool] of pools.entries()) {
      const taken = pays(pool) ? least(left[place] ?? 0n, wanted) : 0n;
      if (taken === 0n) continue;
      left[place] = (left[place] ?? 0n) - taken;
      runs.push({ place, creditId: pool.creditId, startMs, endMs, cents: taken });
      wanted -= taken;
    }
    if (wanted > 0n) runs.push({ place: undefined, creditId: null, startMs, endMs, cents: wanted });
  }

  function giveBack(cents: bigint): void {
    for (let wanted = cents; wanted > 0n;) {
      const run = runs.pop();
      if (run === undefined) throw new Error(`${wanted} cents would come back that were never laid`);
      const back = least(run.cents, wanted);
      if (run.place !== undefined) left[run.place] = (left[run.place] ?? 0n) + back;
      if (back < run.cents) runs.push({ ...run, cents: run.cents - back });
      wanted -= back;
    }
  }
}

/** Parts the first cents, which an invoice bills, from the rest, which it carries out. */
export function splitLaid(runs: readonly LaidRun[], cents: bigint): { billed: LaidRun[]; carried: LaidRun[] } {
  const [billed, carried]: [LaidRun[], LaidRun[]] = [[], []];
  let wanted = cents;
  for (const run of runs) {
    const part = least(run.cents, wanted);
    if (part > 0n) billed.push({ ...run, cents: part });
    if (part < run.cents) carried.push({ ...run, cents: run.cents - part });
    wanted -= part;
  }
  return { billed, carried };
}

/** The cents that are laid on each grant. */
export function sumByCredit(runs: readonly LaidRun[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { creditId, cents } of runs) if (creditId !== null) sums.set(creditId, (sums.get(creditId) ?? 0n) + cents);
  return sums;
}

interface PooledRun extends LaidRun {
  /** The place of the pool that pays; undefined: no grant pays. */
  readonly place: number | undefined;
}

const microsPerCent = 10_000n;

function begunIn(chargedMicros: bigint): bigint {
  return chargedMicros <= 0n ? 0n : (chargedMicros + microsPerCent - 1n) / microsPerCent;
}

function isNobodys(): boolean {
  return false;
}

function isValidIn({ fromMs, endsMs }: GrantPool, { startMs, endMs }: SpanCharge): boolean {
  return fromMs < endMs && (endsMs === null || endsMs > startMs);
}

/** Adds up runs of one payer that follow each other. */
function merge(runs: readonly PooledRun[]): LaidRun[] {
  const merged: LaidRun[] = [];
  for (const { creditId, startMs, endMs, cents } of runs) {
    const last = merged.at(-1);
    if (last?.creditId === creditId) merged[merged.length - 1] = { ...last, endMs, cents: last.cents + cents };
    else merged.push({ creditId, startMs, endMs, cents });
  }
  return merged;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
