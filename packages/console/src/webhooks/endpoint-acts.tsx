import { Group, Text } from '@mantine/core';
import type { Schemas } from '@tollgate/sdk/edge';
import type { ReactNode } from 'react';
import { call } from '../api/call.ts';
import { Confirm } from '../patterns/confirm.tsx';
import { RedeliverMissed } from './redeliver-missed.tsx';

interface Acted {
  readonly endpoint: Schemas['WebhookEndpoint'];
  readonly onSecret: (endpoint: Schemas['CreatedWebhookEndpoint']) => void;
}

export function EndpointActs({ endpoint, onSecret }: Acted): ReactNode {
  const { id, url, enabled } = endpoint;
  const path = { id };
  const rotate = () => call('rotateWebhookSecret', { path, body: {}, idempotencyKey: crypto.randomUUID() });
  return (
    <Group gap="xs" justify="flex-end">
      <Confirm label="Send test" act={() => call('testWebhookEndpoint', { path })}>
        <Text>{url} gets an event of the type webhook.test. It is in the list of what happened.</Text>
      </Confirm>
      <Confirm
        label={enabled ? 'Disable' : 'Enable'}
        act={() => call('updateWebhookEndpoint', { path, body: { enabled: !enabled } })}
      >
        <Text>
          {enabled
            ? 'It is told nothing of what happens. What is on its way to it waits until it is enabled again.'
            : 'It is told what happens from now on, and what was on its way to it.'}
        </Text>
      </Confirm>
      {enabled && <RedeliverMissed endpoint={endpoint} />}
      <Confirm label="Replace secret" act={async () => onSecret(await rotate())}>
        <Text>Webhooks are signed by the new secret at once. Until {url} has it, it refuses them as not ours.</Text>
      </Confirm>
      <Confirm label="Remove" isDestructive act={() => call('deleteWebhookEndpoint', { path })}>
        <Text>{url} is told nothing more, and the record of what it was sent goes with it.</Text>
      </Confirm>
    </Group>
  );
}
