import { NativeSelect, SimpleGrid } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { TypedFilter } from '../patterns/typed-filter.tsx';
import classes from './filters.module.css';

interface Filtered {
  readonly children: ReactNode;
}

/** Filters stand in the address: a filtered list is a link. */
export function Filters({ children }: Filtered): ReactNode {
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} className={classes.filters}>
      {children}
    </SimpleGrid>
  );
}

/** A change goes to the first page. */
function useFilter(name: string): readonly [string, (value: string) => void] {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const value = search[name];
  const set = (next: string) => void navigate({ to: '.', search: (kept) => ({ ...kept, [name]: next, cursor: '' }) });
  return [typeof value === 'string' ? value : '', set];
}

interface Named {
  readonly name: string;
  readonly label: string;
}

interface Chosen extends Named {
  readonly options: readonly string[];
  readonly any?: string;
}

export function SelectFilter({ name, label, options, any = 'Any' }: Chosen): ReactNode {
  const [value, set] = useFilter(name);
  const choices = options.map((option) => ({ value: option, label: option.replaceAll('_', ' ') }));
  return (
    <NativeSelect
      label={label}
      data={[{ value: '', label: any }, ...choices]}
      value={value}
      onChange={(event) => set(event.currentTarget.value)}
    />
  );
}

export function TextFilter({ name, label, placeholder = 'Any' }: Named & { readonly placeholder?: string }): ReactNode {
  const [value, set] = useFilter(name);
  return <TypedFilter label={label} placeholder={placeholder} text={value} onText={set} />;
}
