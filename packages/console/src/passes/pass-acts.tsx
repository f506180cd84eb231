import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { Form } from '../patterns/form.tsx';
import { CapFields, capOf } from './cap-fields.tsx';
import { capInWords } from './pass-words.ts';

interface Acted {
  readonly pass: Schemas['Pass'];
  readonly onReplaced: (pass: Schemas['CreatedPass']) => void;
  readonly onRevoked: () => void;
}

/** The owner of a pass can do these. Each act says first what happens. */
export function PassActs({ pass, onReplaced, onRevoked }: Acted): ReactNode {
  const path = { id: pass.id };
  return (
    <Group gap="xs">
      <PauseOrResume pass={pass} />
      <ChangeCap pass={pass} />
      <Confirm
        label="Replace key"
        act={async () => onReplaced(await call('rotatePass', { path, body: {}, idempotencyKey: crypto.randomUUID() }))}
      >
        <Text>The earlier key stops at once: every agent that has it is refused until it has the new one.</Text>
      </Confirm>
      <Confirm label="Revoke pass" isDestructive act={() => call('deletePass', { path })} onDone={onRevoked}>
        <Text>
          Within a second every call with {pass.name} is refused, and that is final. Calls that were made are still
          charged.
        </Text>
      </Confirm>
    </Group>
  );
}

function PauseOrResume({ pass }: { readonly pass: Schemas['Pass'] }): ReactNode {
  const set = (paused: boolean) => () => call('updatePass', { path: { id: pass.id }, body: { paused } });
  return pass.paused ? (
    <Confirm key="resume" label="Resume pass" act={set(false)}>
      <Text>Within a second calls with it are taken again, until its cap: {capInWords(pass.cap)}.</Text>
    </Confirm>
  ) : (
    <Confirm key="pause" label="Pause pass" act={set(true)}>
      <Text>
        Within a second calls with it are refused, until you resume it. Calls that were made are still charged.
      </Text>
    </Confirm>
  );
}

function ChangeCap({ pass }: { readonly pass: Schemas['Pass'] }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure(false);
  const client = useQueryClient();
  function done(): void {
    close();
    void client.invalidateQueries();
  }
  return (
    <>
      <Button variant="default" onClick={open}>
        Change cap
      </Button>
      <Modal opened={isOpen} onClose={close} title="Change cap" closeButtonProps={{ 'aria-label': 'Close' }}>
        <Stack>
          <Text>
            Now it is {capInWords(pass.cap)}. A raised cap counts at once; below what is spent already, every call is
            refused until it begins anew.
          </Text>
          <Form
            submit="Change cap"
            send={(fields) => call('updatePass', { path: { id: pass.id }, body: { cap: capOf(fields) } })}
            onDone={done}
          >
            {(errorOf) => <CapFields cap={pass.cap} errorOf={errorOf} />}
          </Form>
        </Stack>
      </Modal>
    </>
  );
}
