export function sumOf(months: ReadonlyMap<string, bigint>): bigint {
  return [...months.values()].reduce((sum, amount) => sum + amount, 0n);
}

export function withoutZeros(months: ReadonlyMap<string, bigint>): Map<string, bigint> {
  return new Map([...months].filter(([, amount]) => amount !== 0n));
}
