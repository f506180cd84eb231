import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { dayBefore, dayEnd, dayOf, dayStart } from './day.ts';

interface Ranged {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly onChange: (change: { readonly from: string | undefined } | { readonly to: string | undefined }) => void;
}

/** Two fields of a filter: its first day and its last one. */
export function DayRange({ from, to, onChange }: Ranged): ReactNode {
  return (
    <>
      <TextInput
        type="date"
        label="From (UTC)"
        value={dayOf(from)}
        onChange={(event) => onChange({ from: dayStart(event.currentTarget.value) })}
      />
      <TextInput
        type="date"
        label="To (UTC)"
        value={dayBefore(to)}
        onChange={(event) => onChange({ to: dayEnd(event.currentTarget.value) })}
      />
    </>
  );
}
