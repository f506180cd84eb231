import { Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface Titled {
  readonly title: string;
  readonly children: ReactNode;
}

/** A part of a page, under its own heading. */
export function Section({ title, children }: Titled): ReactNode {
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  );
}
