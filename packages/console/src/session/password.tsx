import { PasswordInput } from '@mantine/core';
import type { ReactNode } from 'react';

interface Typed {
  readonly name?: string;
  readonly label?: string;
  readonly autoComplete: 'current-password' | 'new-password';
  readonly error: string | undefined;
}

export function Password({ name = 'password', label = 'Password', autoComplete, error }: Typed): ReactNode {
  return (
    <PasswordInput
      name={name}
      label={label}
      autoComplete={autoComplete}
      error={error}
      // Mantine leaves the keyboard out here.
      visibilityToggleButtonProps={{ 'aria-label': 'Show what is typed', tabIndex: 0 }}
    />
  );
}
