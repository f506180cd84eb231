import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { dayInWords } from '../patterns/day.ts';
import { TextLink } from '../patterns/links.tsx';
import type { UsageSearch } from '../usage/usage-search.ts';
import { type Days, MonthDays } from './month-days.tsx';

interface LinkedDays extends Days {
  /** The hours of a day. */
  readonly hoursOf: (day: string) => UsageSearch;
}

/** The days of this month as bars and as a table. Each opens its hours. */
export function ByDay({ hoursOf, ...days }: LinkedDays): ReactNode {
  const navigate = useNavigate();
  const opening = {
    says: 'Choose a day to see its hours.',
    open: (day: string) => void navigate({ to: '/usage', search: hoursOf(day) }),
    cell: (start: string) => (
      <TextLink to="/usage" search={hoursOf(start)}>
        {dayInWords(start)}
      </TextLink>
    ),
  };
  return <MonthDays {...days} opening={opening} />;
}
