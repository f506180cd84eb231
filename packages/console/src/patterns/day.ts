const dayMs = 86_400_000;
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** A day of UTC for people, without its year: `21 Nov`. */
export function dayInWords(date: string): string {
  return short.format(new Date(`${date.slice(0, 10)}T00:00:00.000Z`));
}

/** The days of the month of a time, from its first until that time: `2026-11-01`, … */
export function daysUntil(time: string): string[] {
  const days: string[] = [];
  for (let ms = Date.parse(`${time.slice(0, 7)}-01T00:00:00.000Z`); ms <= Date.parse(time); ms += dayMs)
    days.push(new Date(ms).toISOString().slice(0, 10));
  return days;
}

/** The full hour so many hours before the one in which a time is. */
export function hoursBefore(time: string, hours: number): string {
  const hourMs = 3_600_000;
  return new Date((Math.floor(Date.parse(time) / hourMs) - hours) * hourMs).toISOString();
}

/** A day of a filter is UTC's, as months and caps are: from its first moment. */
export function dayStart(day: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? `${day}T00:00:00.000Z` : undefined;
}

/** The moment after the day, which the filter does not include. */
export function dayEnd(day: string): string | undefined {
  const start = dayStart(day);
  return start && new Date(Date.parse(start) + dayMs).toISOString();
}

/** The day that begins at a time of the filter. */
export function dayOf(from: string | undefined): string {
  return from?.slice(0, 10) ?? '';
}

/** The last day before a time of the filter. */
export function dayBefore(to: string | undefined): string {
  return to === undefined || Number.isNaN(Date.parse(to)) ? '' : dayOf(new Date(Date.parse(to) - 1).toISOString());
}
