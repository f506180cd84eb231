import { Button, Code, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { sentenceOf } from '../api/problem.ts';
import { CopyButton } from '../patterns/copy-button.tsx';
import { Section } from '../patterns/section.tsx';
import { serverLines } from './server-lines.ts';

const placeOfKey = '<an API key of yours>';

/** The lines that put the proxy before the server of a tool. */
export function PasteServer({ slug }: { readonly slug: string }): ReactNode {
  const [listen, setListen] = useState('127.0.0.1:9000');
  const [command, setCommand] = useState('node server.mjs');
  const making = useMutation({
    mutationFn: () =>
      call('createApiKey', {
        body: { name: `server of ${slug}`.slice(0, 100), can: ['events', 'read'] },
        idempotencyKey: crypto.randomUUID(),
      }),
  });
  const text = serverLines({ url: location.origin, key: making.data?.key ?? placeOfKey, slug, listen, command });
  return (
    <Section title="Paste this into your MCP server">
      <Text size="sm">
        The proxy serves your server as it is, and each call is authorized and paid. It runs where your server runs.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput label="It listens on" value={listen} onChange={(event) => setListen(event.currentTarget.value)} />
        <TextInput
          label="Command of your server"
          value={command}
          onChange={(event) => setCommand(event.currentTarget.value)}
        />
      </SimpleGrid>
      <Stack gap="sm">
        <Code block aria-label="Lines for the server" role="region" tabIndex={0}>
          {text}
        </Code>
        <Group>
          <CopyButton text={text} what="lines" />
          {making.data === undefined && (
            <Button variant="default" loading={making.isPending} onClick={() => making.mutate()}>
              Make an API key for it
            </Button>
          )}
        </Group>
        {making.isError && <Text role="alert">{sentenceOf(making.error)}</Text>}
        {making.data !== undefined && (
          <Text size="sm" role="status">
            The lines have a new key, which is shown this once. It records calls and reads; revoke it under API keys.
          </Text>
        )}
      </Stack>
    </Section>
  );
}
