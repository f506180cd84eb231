import { hash } from 'node:crypto';
import { codePointLength } from '../packages/kernel/src/text.ts';
import {
  checkOf,
  digestOf,
  fingerprintOf,
  isFiltered,
  placesOf,
  slotBytes,
  slotsOf,
  type FilterShape,
} from '../services/auth/src/accounts/breach-list.ts';
import { passwordCodePointsMin } from '../services/auth/src/accounts/password-rules.ts';

/** The file of a list of breached passwords (`breach-list.ts`). The same words in the same order give the same bytes. */
export function buildBreachList(words: readonly string[], sources: readonly string[]): Buffer<ArrayBuffer> {
  const unique = [...new Set(words.map((word) => word.toLowerCase()))].filter(
    (word) => codePointLength(word) >= passwordCodePointsMin,
  );
  const filtered = unique.filter(isFiltered);
  const shape = shapeFor(filtered.length);
  const exact = unique.filter((word) => !isFiltered(word)).map((word) => fingerprintOf(digestOf(word)).toString('hex'));
  const fingerprints = Buffer.from([...new Set(exact)].sort().join(''), 'hex');
  const body = Buffer.concat([fingerprints, fillFilter(filtered, shape)]);
  const sha256 = hash('sha256', body);
  const header = { sources, passwords: unique.length, ...shape, fingerprintsBytes: fingerprints.length, sha256 };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), body]);
}

/** Follows the authors' formulas: an eighth more slots than passwords, and more for a small set. */
function shapeFor(passwords: number): FilterShape {
  const logarithm = Math.log(Math.max(passwords, 2));
  const segmentLength = 2 ** Math.floor(logarithm / Math.log(3.33) + 2.25);
  const slots = passwords * Math.max(1.125, 0.875 + (0.25 * Math.log(1_000_000)) / logarithm);
  return { segmentLength, segments: Math.max(1, Math.ceil(slots / segmentLength) - 2) };
}

/**
 * Peels: a slot that one password alone has decides it last, whatever the other two slots of the password are. Taking the
 * password away frees other slots, until none is left. Then the slots are written in reverse.
 */
function fillFilter(words: readonly string[], shape: FilterShape): Buffer {
  const places = new Uint32Array(words.length * 3);
  const checks = new Uint16Array(words.length);
  for (const [index, word] of words.entries()) {
    const digest = digestOf(word);
    places.set(placesOf(digest, shape), index * 3);
    checks[index] = checkOf(digest);
  }
  const slots = new Uint16Array(slotsOf(shape));
  for (const { index, slot } of peel(places, slots.length).toReversed()) {
    let value = checks[index] ?? 0;
    for (const place of places.subarray(index * 3, index * 3 + 3)) value ^= slots[place] ?? 0;
    slots[slot] = value;
  }
  const bytes = Buffer.alloc(slots.length * slotBytes);
  for (const [slot, value] of slots.entries()) bytes.writeUInt16LE(value, slot * slotBytes);
  return bytes;
}

function peel(places: Uint32Array, slots: number): { index: number; slot: number }[] {
  const counts = new Uint32Array(slots);
  const indexes = new Uint32Array(slots); // the xor of those that have the slot: with one left, its index
  const toggle = (index: number, by: 1 | -1): void => {
    for (const place of places.subarray(index * 3, index * 3 + 3)) {
      counts[place] = (counts[place] ?? 0) + by;
      indexes[place] = (indexes[place] ?? 0) ^ index;
    }
  };
  const all = places.length / 3;
  for (let index = 0; index < all; index++) toggle(index, 1);

  const peeled: { index: number; slot: number }[] = [];
  const waiting = [...counts.keys()].filter((slot) => counts[slot] === 1);
  for (let slot = waiting.pop(); slot !== undefined; slot = waiting.pop()) {
    if (counts[slot] !== 1) continue;
    const index = indexes[slot] ?? 0;
    peeled.push({ index, slot });
    toggle(index, -1);
    for (const place of places.subarray(index * 3, index * 3 + 3)) if (counts[place] === 1) waiting.push(place);
  }
  if (peeled.length < all)
    throw new Error('this set of passwords has no filter of this shape: give it a few more slots');
  return peeled;
}
