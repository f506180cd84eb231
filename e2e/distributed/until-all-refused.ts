import { expect } from '@jest/globals';
import { eventually } from '@tollgate/testkit/eventually';
import type { Load } from '@tollgate/testkit/load/start-load';
import type { PathRouter } from '@tollgate/testkit/path-router';

const refusalsMin = 4;

/**
 * Waits until four calls in a row are answered 503 with Retry-After, and no event is acknowledged meanwhile, not even a
 * repeat of a counted one.
 */
export async function untilAllRefused(router: PathRouter, load: Load): Promise<void> {
  await eventually(
    async () => {
      const before = load.acknowledged();
      const seen = router.failures().length;
      await eventually(() => router.failures().length >= seen + refusalsMin, { withinMs: 30_000 });
      for (const failure of router.failures().slice(seen)) expect(failure).toMatch(/: 503, Retry-After: 1$/);
      expect(load.acknowledged()).toBe(before);
      return true;
    },
    { withinMs: 90_000 },
  );
}
