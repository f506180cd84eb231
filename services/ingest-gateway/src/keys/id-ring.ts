import { randomInt } from 'node:crypto';
import { writeUuid } from '@tollgate/kernel/uuid';

/** The latest ids, each in a place of its own, from 0 to `max` - 1. */
export interface IdRing {
  /** Undefined: the id is not among them. */
  placeOf(id: string): number | undefined;
  /** Gives a new id a place: that of the oldest id, once all are taken. Undefined: the id has a place already. */
  add(id: string): number | undefined;
}

const idBytes = 16;
const idWords = 4;

/**
 * The ids lie in one array of numbers, in the order in which they came. A hash table with linear probing, at most half
 * full, leads to their places. So an id takes 24 to 32 bytes and no object, and garbage collection never copies it.
 */
export function createIdRing(max: number): IdRing {
  const words = new Uint32Array((max + 1) * idWords); // the last place has the id that is asked for
  const bytes = new Uint8Array(words.buffer);
  const tableBits = Math.ceil(Math.log2(max * 2));
  const table = new Uint32Array(2 ** tableBits); // a place + 1, or 0
  const mask = table.length - 1;
  const [seed3, seed4] = [randomOdd(), randomOdd()]; // nobody can choose keys whose ids meet in the table
  let added = 0;

  return {
    placeOf(id) {
      read(id);
      const found = table[probe()] ?? 0;
      return found === 0 ? undefined : found - 1;
    },
    add(id) {
      read(id);
      if (table[probe()] !== 0) return undefined;
      const place = added % max;
      if (added >= max) forget(place);
      keep(place);
      table[probe()] = place + 1; // its slot may have changed: forgetting has moved others
      added += 1;
      return place;
    },
  };

  function read(id: string): void {
    writeUuid(bytes, max * idBytes, id);
  }

  function keep(place: number): void {
    for (let word = 0; word < idWords; word += 1) words[place * idWords + word] = words[max * idWords + word] ?? 0;
  }

  /** Where the table has the id that is asked for, or room for it. */
  function probe(): number {
    let at = homeOf(max);
    for (let entry = table[at]; entry !== 0 && !isAsked((entry ?? 0) - 1); entry = table[at]) at = (at + 1) & mask;
    return at;
  }

  function isAsked(place: number): boolean {
    for (let word = 0; word < idWords; word += 1) {
      if (words[place * idWords + word] !== words[max * idWords + word]) return false;
    }
    return true;
  }

  /** The second half of an id is enough: it is of a hash, or random. */
  function homeOf(place: number): number {
    const third = words[place * idWords + 2] ?? 0;
    const fourth = words[place * idWords + 3] ?? 0;
    return (Math.imul(third, seed3) + Math.imul(fourth, seed4)) >>> (32 - tableBits);
  }

  /** Takes a place out of the table, and moves up those behind it that had to make way. */
  function forget(place: number): void {
    let gap = homeOf(place);
    while (table[gap] !== place + 1) gap = (gap + 1) & mask;
    for (let at = (gap + 1) & mask; ; at = (at + 1) & mask) {
      const entry = table[at] ?? 0;
      if (entry === 0) break;
      if (((at - homeOf(entry - 1)) & mask) < ((at - gap) & mask)) continue; // its home is behind the gap
      table[gap] = entry;
      gap = at;
    }
    table[gap] = 0;
  }
}

function randomOdd(): number {
  return randomInt(2 ** 31) * 2 + 1;
}
