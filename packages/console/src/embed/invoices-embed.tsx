import { Button, Group, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { InvoiceFacts } from '../invoices/invoice-facts.tsx';
import { invoiceColumns } from '../invoices/invoice-columns.tsx';
import { lineColumns, lineKeyOf } from '../invoices/line-columns.tsx';
import { type Column, DataTable } from '../patterns/data-table.tsx';
import { Empty } from '../patterns/empty.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { askEmbed } from './ask-embed.ts';
import { EmbedPage } from './embed-page.tsx';
import classes from './invoices-embed.module.css';

type Invoice = Schemas['UpcomingInvoice'];

interface Opened {
  readonly token: string;
}

/** The invoices of the account, and one of them at a time. */
export function InvoicesEmbed({ token }: Opened): ReactNode {
  const [shown, setShown] = useState<string>();
  const close = () => setShown(undefined);
  if (shown === undefined) return <Invoices token={token} onOpen={setShown} />;
  return shown === draft ? (
    <Draft token={token} onClose={close} />
  ) : (
    <Issued token={token} id={shown} onClose={close} />
  );
}

const draft = 'draft';

function Invoices({ token, onOpen }: Opened & { readonly onOpen: (id: string) => void }): ReactNode {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const invoices = useQuery(askEmbed(token, 'listInvoices', { query: { cursor: cursors.at(-1) } }));
  const number: Column<Schemas['Invoice']> = {
    title: 'Invoice',
    cell: ({ id, number: text }) => (
      <UnstyledButton className={classes.open} onClick={() => onOpen(id)}>
        {text}
      </UnstyledButton>
    ),
  };
  const actions = (
    <Button variant="default" onClick={() => onOpen(draft)}>
      Draft of this month
    </Button>
  );
  return (
    <EmbedPage title="Invoices" actions={actions}>
      <Loaded of={invoices}>
        {({ invoices: rows, total, next_cursor: next }) =>
          total === 0 ? (
            <Empty title="No invoices yet.">
              <Text>The first one is issued when a month with calls has ended. Its draft is there already.</Text>
            </Empty>
          ) : (
            <>
              <DataTable label="Invoices" columns={[number, ...invoiceColumns]} rows={rows} keyOf={({ id }) => id} />
              <Group component="nav" aria-label="Pages of the list" gap="xs">
                {cursors.length > 0 && (
                  <Button variant="default" onClick={() => setCursors(cursors.slice(0, -1))}>
                    Page before
                  </Button>
                )}
                {next !== null && (
                  <Button variant="default" onClick={() => setCursors([...cursors, next])}>
                    Next page
                  </Button>
                )}
              </Group>
            </>
          )
        }
      </Loaded>
    </EmbedPage>
  );
}

interface One extends Opened {
  readonly onClose: () => void;
}

function Draft({ token, onClose }: One): ReactNode {
  const upcoming = useQuery(askEmbed(token, 'getUpcomingInvoice'));
  const title = upcoming.data === undefined ? 'Draft' : `Draft of ${upcoming.data.period}`;
  return (
    <EmbedPage title={title} actions={<Back onClose={onClose} />}>
      <Loaded of={upcoming}>{(invoice) => <Shown invoice={invoice} />}</Loaded>
    </EmbedPage>
  );
}

function Issued({ token, id, onClose }: One & { readonly id: string }): ReactNode {
  const issued = useQuery(askEmbed(token, 'getInvoice', { path: { id } }));
  const title = issued.data === undefined ? 'Invoice' : `Invoice ${issued.data.number}`;
  return (
    <EmbedPage title={title} actions={<Back onClose={onClose} />}>
      <Loaded of={issued}>{(invoice) => <Shown invoice={invoice} />}</Loaded>
    </EmbedPage>
  );
}

function Back({ onClose }: Pick<One, 'onClose'>): ReactNode {
  return (
    <Button variant="default" onClick={onClose}>
      All invoices
    </Button>
  );
}

const lines = [{ title: 'Tool', cell: ({ tool_id: tool }: Schemas['InvoiceLine']) => tool }, ...lineColumns];

function Shown({ invoice }: { readonly invoice: Invoice }): ReactNode {
  return (
    <>
      <InvoiceFacts invoice={invoice} />
      {invoice.lines.length === 0 ? (
        <Text>Nothing to bill yet.</Text>
      ) : (
        <DataTable label="Lines" columns={lines} rows={invoice.lines} keyOf={lineKeyOf} />
      )}
      {invoice.lines_truncated && <Text size="sm">Only the first lines are shown.</Text>}
    </>
  );
}
