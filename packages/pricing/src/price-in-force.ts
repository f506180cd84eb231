import type { RatedPrice } from './rated-price.ts';

/**
 * The version in force in this hour: the last that begins at or before its start. Undefined only if the first version
 * is missing.
 */
export function priceInForce(versions: readonly RatedPrice[], hourMs: number): RatedPrice | undefined {
  return versions.reduce<RatedPrice | undefined>((found, version) => {
    const isBegun = startOf(version) <= hourMs;
    return isBegun && (!found || startOf(found) <= startOf(version)) ? version : found;
  }, undefined);
}

function startOf({ effectiveFromMs }: RatedPrice): number {
  return effectiveFromMs ?? -Infinity;
}
