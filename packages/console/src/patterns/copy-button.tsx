import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Copied {
  readonly text: string;
  /** The thing that is copied: `key`, `configuration`. */
  readonly what: string;
}

export function CopyButton({ text, what }: Copied): ReactNode {
  const { copy, copied, error } = useClipboard({ timeout: 4_000 });
  const said = error ? 'Select and copy it by hand' : copied ? 'Copied' : `Copy ${what}`;
  return (
    <Button variant="default" size="xs" onClick={() => copy(text)}>
      <span aria-live="polite">{said}</span>
    </Button>
  );
}
