import { Container, MantineProvider } from '@mantine/core';
import { useColorScheme } from '@mantine/hooks';
import { QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { createClient } from '../api/client.ts';
import { styleNonce } from '../style-nonce.ts';
import { theme, variablesOf } from '../theme.ts';
import { EarningsEmbed } from './earnings-embed.tsx';
import { Ended } from './ended.tsx';
import { InvoicesEmbed } from './invoices-embed.tsx';
import type { Given } from './read-fragment.ts';
import { UsageEmbed } from './usage-embed.tsx';

const pages = { usage: UsageEmbed, earnings: EarningsEmbed, invoices: InvoicesEmbed };

/** The one page that a token opens, without a way to any other. It is shown in a frame of somebody else's product. */
export function Embed({ given }: { readonly given: Given | undefined }): ReactNode {
  const [isEnded, setEnded] = useState(given === undefined);
  const [client] = useState(() => createClient(() => setEnded(true)));
  const ofReader = useColorScheme();
  const scheme = given === undefined || given.theme === 'auto' ? ofReader : given.theme;
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variablesOf}
      getStyleNonce={styleNonce}
      forceColorScheme={scheme}
    >
      <QueryClientProvider client={client}>
        <Container component="main" size="lg" px="sm" py="md">
          {given === undefined || isEnded ? <Ended /> : <Shown given={given} />}
        </Container>
      </QueryClientProvider>
    </MantineProvider>
  );
}

function Shown({ given: { page, token } }: { readonly given: Given }): ReactNode {
  const Page = pages[page];
  return <Page token={token} />;
}
