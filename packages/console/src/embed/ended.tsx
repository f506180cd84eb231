import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { EmbedPage } from './embed-page.tsx';

export function Ended(): ReactNode {
  return (
    <EmbedPage title="This page has ended">
      <Text>It is shown for an hour at most. Reload the page around it to see it again.</Text>
    </EmbedPage>
  );
}
