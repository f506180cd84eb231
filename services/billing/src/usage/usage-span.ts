/** Months of one consumer's usage: from the first to the last of them, 'YYYY-MM'. */
export interface UsageSpan {
  readonly consumerId: string;
  readonly firstPeriod: string;
  readonly lastPeriod: string;
}

/** The same months for each consumer. */
export function spansOf(
  consumerIds: readonly string[],
  { firstPeriod, lastPeriod }: Omit<UsageSpan, 'consumerId'>,
): UsageSpan[] {
  return consumerIds.map((consumerId) => ({ consumerId, firstPeriod, lastPeriod }));
}
