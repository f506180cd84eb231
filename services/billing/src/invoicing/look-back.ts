/**
 * How many months back the close bills usage that was counted late. Usually events are counted within 24 hours; only frozen
 * gateways and replayed dead letters take longer.
 */
const monthsMax = 12;

/** The first period whose late usage a close of `period` bills. */
export function firstPeriodOfLookBack(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number);
  const index = year * 12 + (month - 1) - monthsMax;
  return `${String(Math.floor(index / 12)).padStart(4, '0')}-${String((index % 12) + 1).padStart(2, '0')}`;
}
