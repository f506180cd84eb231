import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';

/** The second factor, where it is asked for after something else. */
export function CodeField({ errorOf }: { readonly errorOf: (pointer: string) => string | undefined }): ReactNode {
  return (
    <TextInput
      name="code"
      label="Code of your second factor"
      description="Six digits of your authenticator, or a recovery code."
      autoComplete="one-time-code"
      error={errorOf('/totp_code') ?? errorOf('/recovery_code')}
      autoFocus
    />
  );
}
