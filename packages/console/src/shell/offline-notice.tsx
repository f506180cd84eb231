import { Alert } from '@mantine/core';
import type { ReactNode } from 'react';

export function OfflineNotice(): ReactNode {
  return (
    <Alert color="orange" role="status" title="You are offline." mb="md">
      The pages show what came last. They go on by themselves once the connection is back.
    </Alert>
  );
}
