/**
 * Decides where polling by a sequence continues. Transactions commit out of order: number 5 may be committed after
 * number 6 was read. So each poll reads again the numbers of the last 15 s, which is three times a statement's time
 * limit.
 */
export interface Overlap {
  /** The next poll reads the rows with a greater number than this. */
  readAfter(nowMs: number): bigint;
  /** Notes the greatest number that a poll begun at `nowMs` has seen. */
  seen(seq: bigint, nowMs: number): void;
}

const overlapMs = 15_000;

/** At the first read, transactions with so many earlier numbers may not have committed yet. */
const inFlightMax = 1_000n;

export function createOverlap(first: bigint): Overlap {
  let safe = first > inFlightMax ? first - inFlightMax : 0n;
  let greatest = first;
  let marks: { readonly seq: bigint; readonly atMs: number }[] = [];

  function seen(seq: bigint, nowMs: number): void {
    if (seq > greatest) greatest = seq;
    if (marks.at(-1)?.seq !== greatest) marks.push({ seq: greatest, atMs: nowMs });
  }

  function readAfter(nowMs: number): bigint {
    const settled = marks.filter((mark) => mark.atMs <= nowMs - overlapMs);
    safe = settled.at(-1)?.seq ?? safe;
    marks = marks.slice(settled.length);
    return safe;
  }

  return { readAfter, seen };
}
