/**
 * Where polling by a sequence goes on. Transactions commit out of order: one that took number 5 may commit after 6 was
 * read. So each poll reads again what is younger than the overlap, which is three times a statement's time limit.
 */
export interface Overlap {
  /** Read what has a number greater than this. */
  readAfter(nowMs: number): bigint;
  /** The greatest number that a poll begun at `nowMs` has seen. */
  seen(seq: bigint, nowMs: number): void;
}

const overlapMs = 15_000;

/** Numbers that may have been taken, not yet committed, when the very first read was made. */
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
