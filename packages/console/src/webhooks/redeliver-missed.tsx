import { Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { dayStart } from '../patterns/day.ts';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { formatQuantity } from '../patterns/format-usd.ts';

/** Sends an endpoint what it missed since a day. */
export function RedeliverMissed({
  endpoint: { id, url },
}: {
  readonly endpoint: Schemas['WebhookEndpoint'];
}): ReactNode {
  const [isOpen, { open, close }] = useDisclosure(false);
  const [sent, setSent] = useState<number>();
  const client = useQueryClient();
  const send = (fields: FormData) =>
    call('redeliverFailedWebhooks', { path: { id }, body: { from: dayStart(textOf(fields, 'from')) ?? '' } });
  return (
    <>
      <Button variant="default" onClick={open}>
        Redeliver missed
      </Button>
      <Modal opened={isOpen} onClose={close} title="Redeliver missed" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          <Text>
            {url} gets at once what it was told in vain, or not at all, since the day: the oldest 10,000 events.
          </Text>
          {sent !== undefined && <Text role="status">{formatQuantity(sent)} events are sent again.</Text>}
          <Form
            submit="Redeliver missed"
            send={send}
            onDone={({ redelivered }) => {
              setSent(redelivered);
              void client.invalidateQueries();
            }}
          >
            {(errorOf) => <TextInput type="date" name="from" label="Since (UTC)" error={errorOf('/from')} />}
          </Form>
        </Stack>
      </Modal>
    </>
  );
}
