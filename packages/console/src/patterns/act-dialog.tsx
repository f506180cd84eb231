import { Button, Modal, Stack } from '@mantine/core';
import type { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface Dialog {
  /** The verb and its object: `Revoke pass`. */
  readonly label: string;
  readonly disclosure: ReturnType<typeof useDisclosure>;
  readonly children: ReactNode;
}

/** A button, and the dialog that it opens: an act is described there before it is done. */
export function ActDialog({ label, disclosure: [isOpen, { open, close }], children }: Dialog): ReactNode {
  return (
    <>
      <Button variant="default" onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`${label}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>{children}</Stack>
      </Modal>
    </>
  );
}
