import { Group, Stack, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Embedded {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** As `Page`, but its heading takes no focus: the reader is in the page around it. */
export function EmbedPage({ title, actions, children }: Embedded): ReactNode {
  useDocumentTitle(title);
  return (
    <Stack gap="lg">
      <Group justify="space-between">
        <Title order={1} size="h3">
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Stack>
  );
}
