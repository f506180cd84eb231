import { Anchor, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { Schemas } from '@tollgate/sdk/edge';
import { lazy, type ReactNode, Suspense } from 'react';
import { CopyButton } from '../patterns/copy-button.tsx';

// Few people set a second factor up, and each once.
const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

const sizePx = 212;

/** The secret of a second factor for an authenticator: as a code for its camera, as text, and as a link. */
export function TotpSecret({ begun }: { readonly begun: Schemas['BegunTotp'] }): ReactNode {
  return (
    <>
      <Text>
        Scan the code with your authenticator, type the secret into it, or{' '}
        <Anchor underline="always" inherit href={begun.otpauth_uri}>
          open it there
        </Anchor>{' '}
        on the device that has it. Then type the code that it shows.
      </Text>
      <Group gap="lg" align="flex-start">
        <Suspense fallback={<Skeleton height={sizePx} width={sizePx} />}>
          <QrCode text={begun.otpauth_uri} label="QR code of the secret" />
        </Suspense>
        <Stack gap="sm" align="flex-start">
          <Text size="sm">The secret as text:</Text>
          <Code block>{begun.secret}</Code>
          <CopyButton text={begun.secret} what="secret" />
        </Stack>
      </Group>
    </>
  );
}
