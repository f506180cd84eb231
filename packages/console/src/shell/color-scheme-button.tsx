import { Button, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import type { ReactNode } from 'react';

export function ColorSchemeButton(): ReactNode {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Button variant="default" size="xs" onClick={() => setColorScheme(other)}>
      {other === 'dark' ? 'Dark' : 'Light'} mode
    </Button>
  );
}
