import type { ReactNode } from 'react';
import classes from './figures.module.css';

const local = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const zone = new Intl.DateTimeFormat(undefined, { timeZoneName: 'short' });

/** A time of the API in the reader's zone, which it names. The machine's form is its title. */
export function Time({ at, otherwise = '–' }: { at: string | null | undefined; otherwise?: string }): ReactNode {
  if (at == null) return otherwise;
  const date = new Date(at);
  return (
    <time className={classes.figure} dateTime={at} title={at}>
      {local.format(date)} {zoneOf(date)}
    </time>
  );
}

function zoneOf(date: Date): string {
  return zone.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}
