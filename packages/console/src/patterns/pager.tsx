import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { ButtonLink } from './links.tsx';

interface Paging {
  /** The cursor of the page that is shown; none on the first. */
  readonly cursor: string | undefined;
  readonly next: string | null;
}

/** The pages of a list. Where one is stands in the address, so that back is the browser's own. */
export function Pager({ cursor, next }: Paging): ReactNode {
  if (cursor === undefined && next === null) return null;
  return (
    <Group component="nav" aria-label="Pages of the list" gap="xs">
      {cursor !== undefined && (
        <ButtonLink variant="default" to="." search={(filters) => ({ ...filters, cursor: '' })}>
          First page
        </ButtonLink>
      )}
      {next !== null && (
        <ButtonLink variant="default" to="." search={(filters) => ({ ...filters, cursor: next })}>
          Next page
        </ButtonLink>
      )}
    </Group>
  );
}
