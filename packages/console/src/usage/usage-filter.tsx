import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { DayRange } from '../patterns/day-range.tsx';
import { TypedFilter } from '../patterns/typed-filter.tsx';
import type { UsageSearch } from './usage-search.ts';

const roles = [
  { value: '', label: 'What I spend' },
  { value: 'builder', label: 'What my tools earn' },
];
const granularities = [
  { value: '', label: 'The whole time' },
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'month', label: 'Month' },
];
const shared = [
  { value: '', label: 'Nothing more' },
  { value: 'tool_id', label: 'Tool' },
  { value: 'success', label: 'Outcome' },
];
const ofConsumers = [
  { value: 'pass_id', label: 'Pass' },
  { value: 'tool_id,pass_id', label: 'Tool and pass' },
  { value: 'tag', label: 'Tag of the pass' },
];
const ofBuilders = [
  { value: 'consumer_id', label: 'Consumer' },
  { value: 'tool_id,consumer_id', label: 'Tool and consumer' },
];

/** The question stands in the address. A change begins at the first page. */
export function UsageFilter({ search }: { readonly search: UsageSearch }): ReactNode {
  const navigate = useNavigate({ from: '/usage' });
  function filter(change: { readonly [Name in keyof UsageSearch]: string | undefined }): void {
    const asked = Object.entries({ ...search, page: '', ...change }).filter(([, value]) => value);
    void navigate({ search: Object.fromEntries(asked) });
  }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
      <NativeSelect
        label="Show"
        data={roles}
        value={search.role ?? ''}
        onChange={(event) => filter({ role: event.currentTarget.value, by: '', tag: '' })}
      />
      <NativeSelect
        label="A row for each"
        data={granularities}
        value={search.granularity ?? ''}
        onChange={(event) => filter({ granularity: event.currentTarget.value })}
      />
      <NativeSelect
        label="Split by"
        data={[...shared, ...(search.role === 'builder' ? ofBuilders : ofConsumers)]}
        value={search.by ?? ''}
        onChange={(event) => filter({ by: event.currentTarget.value })}
      />
      {search.by === 'tag' && (
        <TypedFilter label="Name of the tag" placeholder="team" text={search.tag} onText={(tag) => filter({ tag })} />
      )}
      <TypedFilter label="Tool" placeholder="Any" text={search.tool_id} onText={(tool) => filter({ tool_id: tool })} />
      <DayRange from={search.from} to={search.to} onChange={filter} />
    </SimpleGrid>
  );
}
