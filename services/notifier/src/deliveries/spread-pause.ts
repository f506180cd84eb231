const spread = 0.1;

/** A pause, a tenth shorter or longer at most: what failed together does not come back together. `random`: from 0 to 1. */
export function spreadPause(pauseMs: number, random: number): number {
  return pauseMs * (1 - spread + 2 * spread * random);
}
