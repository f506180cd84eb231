import { Code, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { catalogue } from '../api/queries.ts';
import { CopyButton } from '../patterns/copy-button.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { ShownOnce } from '../patterns/shown-once.tsx';
import { mcpConfiguration, serversOf } from './mcp-configuration.ts';

interface Pasted {
  readonly tools: Schemas['Pass']['tools'];
  readonly passKey: string;
}

/** The key of a pass, shown this once, in the form that MCP clients read. */
export function PasteConfiguration({ tools, passKey }: Pasted): ReactNode {
  const offered = useQuery(catalogue);
  return (
    <Stack>
      <ShownOnce text={passKey} what="key">
        Copy it before you leave this page. If it is lost, replace it on the page of the pass.
      </ShownOnce>
      <Title order={2} size="h4">
        Paste this into your MCP client
      </Title>
      <Loaded of={offered}>
        {(page) => <Configuration servers={serversOf(tools, page.tools)} passKey={passKey} />}
      </Loaded>
    </Stack>
  );
}

interface Configured {
  readonly servers: ReturnType<typeof serversOf>;
  readonly passKey: string;
}

function Configuration({ servers, passKey }: Configured): ReactNode {
  const [address, setAddress] = useState('');
  const isNamed = servers.length > 0;
  const named = isNamed ? servers : [{ name: 'tools', url: address }];
  const text = mcpConfiguration(named, passKey);
  return (
    <>
      {!isNamed && (
        <TextInput
          label="Address of the MCP server"
          description="The builder of these tools tells it to you; the catalogue does not name it."
          placeholder="https://mcp.example.com/mcp"
          value={address}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
      )}
      {isNamed || address !== '' ? (
        <>
          <Code block aria-label="Configuration" role="region" tabIndex={0}>
            {text}
          </Code>
          <div>
            <CopyButton text={text} what="configuration" />
          </div>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          The configuration is here once the address is.
        </Text>
      )}
    </>
  );
}
