import { Alert, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sentenceOf } from '../api/problem.ts';
import { ActDialog } from './act-dialog.tsx';

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
  const disclosure = useDisclosure(false);
  const [, { close }] = disclosure;
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
    <ActDialog label={label} disclosure={disclosure}>
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
    </ActDialog>
  );
}
