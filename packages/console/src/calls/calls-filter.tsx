import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { DayRange } from '../patterns/day-range.tsx';
import { TypedFilter } from '../patterns/typed-filter.tsx';
import type { CallsSearch } from './calls-search.ts';

interface Filtered {
  readonly search: CallsSearch;
  readonly passes: readonly Schemas['Pass'][];
}

/** Filters stand in the address: a filtered list is a link. A change goes to the first page. */
export function CallsFilter({ search, passes }: Filtered): ReactNode {
  const navigate = useNavigate({ from: '/calls' });
  function filter(change: { readonly [Name in keyof CallsSearch]: string | undefined }): void {
    const { cursor: _, ...kept } = search;
    void navigate({ search: Object.fromEntries(Object.entries({ ...kept, ...change }).filter(([, value]) => value)) });
  }
  const options = passes.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      <TypedFilter label="Tool" placeholder="Any" text={search.tool_id} onText={(tool) => filter({ tool_id: tool })} />
      <NativeSelect
        label="Pass"
        data={[{ value: '', label: 'Any' }, ...options]}
        value={search.pass_id ?? ''}
        onChange={(event) => filter({ pass_id: event.currentTarget.value })}
      />
      <DayRange from={search.from} to={search.to} onChange={filter} />
    </SimpleGrid>
  );
}
