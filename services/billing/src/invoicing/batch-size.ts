/** How many consumers a close takes at once: half as many after a failure, a quarter more after each success. */
export interface BatchSize {
  current(): number;
  halve(): void;
  grow(): void;
}

export function createBatchSize(max: number): BatchSize {
  let size = max;
  return {
    current: () => size,
    halve() {
      size = Math.max(1, Math.floor(size / 2));
    },
    grow() {
      size = Math.min(max, size + Math.ceil(size / 4));
    },
  };
}
