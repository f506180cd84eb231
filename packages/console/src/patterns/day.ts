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
