import { Paper, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says of a place of a chart what it shows, in the API's own numbers. */
export function Said({
  of: place,
}: {
  readonly of: { label: string; says: readonly string[] } | undefined;
}): ReactNode {
  if (place === undefined) return null;
  return (
    <Paper withBorder p="xs">
      <Text size="sm" fw={600}>
        {place.label}
      </Text>
      {place.says.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
    </Paper>
  );
}
