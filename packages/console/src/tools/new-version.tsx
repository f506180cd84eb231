import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { hoursBefore } from '../patterns/day.ts';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Section } from '../patterns/section.tsx';
import { draftOf, toPriceInput } from './price-draft.ts';
import { PriceEditor } from './price-editor.tsx';

/** A change of the price begins at a full hour to come: nobody pays more for a call that was made. */
export function NewVersion({ tool }: { readonly tool: Schemas['Tool'] }): ReactNode {
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Section title="Change the price">
      {isOpen ? (
        <VersionForm tool={tool} onClose={close} />
      ) : (
        <Group>
          <Button variant="default" onClick={open}>
            Write a new price
          </Button>
        </Group>
      )}
    </Section>
  );
}

interface Opened {
  readonly tool: Schemas['Tool'];
  readonly onClose: () => void;
}

function VersionForm({ tool, onClose }: Opened): ReactNode {
  const client = useQueryClient();
  const live = useQuery(ask('getLiveness'));
  const [draft, setDraft] = useState(() => draftOf(tool.price));
  const send = (fields: FormData, idempotencyKey: string) =>
    call('createPriceVersion', {
      path: { slug: tool.slug },
      body: { price: toPriceInput(draft), effective_from: textOf(fields, 'from') },
      idempotencyKey,
    });
  function done(): void {
    onClose();
    void client.invalidateQueries();
  }
  return (
    <Form submit="Set price" send={send} onDone={done}>
      {(errorOf) => (
        <>
          <PriceEditor draft={draft} onChange={setDraft} errorOf={(pointer) => errorOf(`/price${pointer}`)} />
          <Loaded of={live}>
            {({ now }) => (
              <NativeSelect
                name="from"
                label="It holds from (UTC)"
                description="Calls before it cost what they cost then."
                data={startsAfter(now)}
                error={errorOf('/effective_from')}
              />
            )}
          </Loaded>
          <Text size="sm">
            Everybody sees the new price at once. Calls of {tool.slug} from that hour on are rated by it.
          </Text>
        </>
      )}
    </Form>
  );
}

/** The hours ahead that may be chosen: those of two days, then the first hour of each day of a month. */
function startsAfter(now: string): { value: string; label: string }[] {
  const hours = Array.from({ length: 47 }, (_, index) => index + 2);
  const days = Array.from({ length: 30 }, (_, index) => (index + 3) * 24);
  const ofHours = hours.map((ahead) => hoursBefore(now, -ahead));
  const ofDays = days.map((ahead) => `${hoursBefore(now, -ahead).slice(0, 10)}T00:00:00.000Z`);
  return [...new Set([...ofHours, ...ofDays])].map((start) => ({
    value: start,
    label: `${start.slice(0, 10)} ${start.slice(11, 16)}`,
  }));
}
