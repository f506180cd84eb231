import { Card, Container, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Page } from '../patterns/page.tsx';

interface Doors {
  readonly title: string;
  /** The way to the other door. */
  readonly other: ReactNode;
  readonly children: ReactNode;
}

/** The frame of the pages before one is signed in. */
export function Door({ title, other, children }: Doors): ReactNode {
  return (
    <Container component="main" size={420} py="xl">
      <Stack>
        <Text fw={700} size="lg">
          Tollgate
        </Text>
        <Card withBorder padding="lg">
          <Page title={title}>
            {children}
            <Text size="sm">{other}</Text>
          </Page>
        </Card>
      </Stack>
    </Container>
  );
}
