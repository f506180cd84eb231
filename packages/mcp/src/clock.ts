/** Whole milliseconds since the epoch: the only source of time of this package. */
export function nowMs(): number {
  return Date.now();
}
