import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const states = ['', 'open', 'paid', 'carried', 'past_due', 'uncollectible', 'void'].map((value) => ({
  value,
  label: value === '' ? 'Any' : value.replaceAll('_', ' '),
}));

interface Filtered {
  readonly search: { readonly status?: string; readonly period?: string };
}

/** Filters stand in the address. A change goes to the first page. */
export function InvoicesFilter({ search: { status, period } }: Filtered): ReactNode {
  const navigate = useNavigate({ from: '/invoices' });
  function filter(change: { readonly status?: string; readonly period?: string }): void {
    const given = Object.entries({ status, period, ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(given) });
  }
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <NativeSelect
        label="State"
        data={states}
        value={status ?? ''}
        onChange={(event) => filter({ status: event.currentTarget.value })}
      />
      <TextInput
        type="month"
        label="Month"
        value={period ?? ''}
        onChange={(event) => filter({ period: event.currentTarget.value })}
      />
    </SimpleGrid>
  );
}
