import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface Typed {
  readonly autoComplete: 'current-password' | 'new-password';
  readonly error: string | undefined;
}

export function Password({ autoComplete, error }: Typed): ReactNode {
  return (
    <PasswordInput
      name="password"
      label="Password"
      autoComplete={autoComplete}
      error={error}
      // Mantine leaves the keyboard out here.
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
    />
  );
}
