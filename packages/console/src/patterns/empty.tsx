import { Card, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

interface Emptiness {
  readonly title: string;
  /** Says what to do next. */
  readonly children: ReactNode;
}

export function Empty({ title, children }: Emptiness): ReactNode {
  return (
    <Card withBorder padding="lg">
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>{title}</Text>
        {children}
      </Stack>
    </Card>
  );
}
