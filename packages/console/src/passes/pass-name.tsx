import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ask } from '../api/queries.ts';
import { TextLink } from '../patterns/links.tsx';

/** The newest passes, by which others are named. */
export const newestPasses = ask('listPasses', { query: { limit: 100 } });

/** Names passes. One that is not among the newest has the end of its id; an ended one is no more than that, too. */
export function usePassNames(): (id: string) => string {
  const passes = useQuery(newestPasses);
  const names = new Map(passes.data?.passes.map(({ id, name }) => [id, name]));
  return (id) => names.get(id) ?? `pass …${id.slice(-6)}`;
}

interface Named {
  readonly id: string | null;
  /** The words for calls that no pass paid. */
  readonly otherwise: string;
}

export function PassName({ id, otherwise }: Named): ReactNode {
  const nameOf = usePassNames();
  if (id === null) return otherwise;
  return (
    <TextLink to="/passes/$id" params={{ id }}>
      {nameOf(id)}
    </TextLink>
  );
}
