import type { Checks, Service } from '@tollgate/kernel/service';

/** The checks of all parts, each with its part's name in front: two parts may have checks of the same name. */
export function readinessOfParts(parts: readonly Service[]): Checks {
  return Object.fromEntries(
    parts.flatMap((part) =>
      Object.entries(part.readiness?.() ?? {}).map(([name, check]) => [`${part.name}.${name}`, check]),
    ),
  );
}
