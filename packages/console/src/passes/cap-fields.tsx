import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { amountOf, textOf } from '../patterns/field.ts';

type Cap = Schemas['PassCap'];

const windows = [
  { value: 'day', label: 'a day (UTC)' },
  { value: 'month', label: 'a month (UTC)' },
  { value: 'total', label: 'in total' },
];

interface Capped {
  readonly cap?: Cap | null;
  readonly errorOf: (pointer: string) => string | undefined;
}

export function CapFields({ cap = { amount_usd: 5, window: 'day' }, errorOf }: Capped): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      <TextInput
        name="amount"
        inputMode="decimal"
        label="Cap in US dollars"
        description="Calls that do not fit are refused. Empty: no cap."
        defaultValue={cap?.amount_usd}
        error={errorOf('/cap')}
      />
      <NativeSelect
        name="window"
        label="The cap holds for"
        description="Then it begins anew."
        data={windows}
        defaultValue={cap?.window ?? 'day'}
      />
    </SimpleGrid>
  );
}

/** The cap of the fields; null for none. */
export function capOf(fields: FormData): Cap | null {
  if (textOf(fields, 'amount') === '') return null;
  return { amount_usd: amountOf(fields, 'amount'), window: textOf(fields, 'window') as Cap['window'] }; // the list above has no others
}
