import { Alert, Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api/problem.ts';

interface Confirmed {
  /** The verb and its object: `Revoke pass`. */
  readonly label: string;
  /** Says what happens then, in whole sentences. */
  readonly children: ReactNode;
  readonly isDestructive?: boolean;
  readonly act: () => Promise<unknown>;
  readonly onDone?: () => void;
}

/** A button whose act happens only after its consequences were read. */
export function Confirm({ label, children, isDestructive = false, act, onDone }: Confirmed): ReactNode {
  const [isOpen, { open, close }] = useDisclosure(false);
  const client = useQueryClient();
  const acting = useMutation({
    mutationFn: act,
    onSuccess: async () => {
      close();
      await client.invalidateQueries();
      onDone?.();
    },
  });
  const color = isDestructive ? { color: 'red' } : {};
  return (
    <>
      <Button variant="default" onClick={open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`${label}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          {children}
          {acting.isError && <Alert color="red" role="alert" title={sentenceOf(acting.error)} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={close} data-autofocus>
              Cancel
            </Button>
            <Button {...color} loading={acting.isPending} onClick={() => acting.mutate()}>
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
