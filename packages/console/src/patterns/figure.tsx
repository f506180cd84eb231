import { Card, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Figured {
  readonly title: string;
  readonly of: ReactNode;
  /** Says what it is made of, or leads there. */
  readonly children: ReactNode;
}

/** A number that a page is about, on a card of its own. */
export function Figure({ title, of, children }: Figured): ReactNode {
  return (
    <Card withBorder padding="md">
      <Text size="sm" c="dimmed">
        {title}
      </Text>
      <Text size="xl" fw={700}>
        {of}
      </Text>
      <Text size="sm">{children}</Text>
    </Card>
  );
}
