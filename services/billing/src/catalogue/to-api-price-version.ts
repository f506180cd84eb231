import type { PriceVersion as ApiPriceVersion } from '@tollgate/contracts/tools/tools';
import { toIso } from '@tollgate/kernel/clock';
import type { PriceVersion } from './price-version.ts';

export function toApiPriceVersion({ id, price, effectiveFromMs, createdAtMs }: PriceVersion): ApiPriceVersion {
  const effectiveFrom = effectiveFromMs === null ? null : toIso(effectiveFromMs);
  return { id, price, effective_from: effectiveFrom, created_at: toIso(createdAtMs) };
}
