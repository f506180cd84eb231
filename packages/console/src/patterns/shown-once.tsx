import { Alert, Code, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

interface Secret {
  readonly text: string;
  /** The thing that it is: `key`, `secret`. */
  readonly what: string;
  /** Says what to do if it is lost. */
  readonly children: ReactNode;
}

/** A secret that no later answer contains. */
export function ShownOnce({ text, what, children }: Secret): ReactNode {
  return (
    <Alert color="orange" title={`The ${what} is shown this once.`} role="status">
      <Stack gap="sm">
        <Text size="sm">{children}</Text>
        <Code block>{text}</Code>
        <div>
          <CopyButton text={text} what={what} />
        </div>
      </Stack>
    </Alert>
  );
}
