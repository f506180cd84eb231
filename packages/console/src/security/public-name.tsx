import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Section } from '../patterns/section.tsx';

/** The name by which people know who sells the tools of the account. */
export function PublicName(): ReactNode {
  const client = useQueryClient();
  const account = useQuery(ask('getAccount'));
  const [saved, setSaved] = useState(false);
  const send = (fields: FormData) => call('updateAccount', { body: { public_name: textOf(fields, 'name') || null } });
  function done(): void {
    setSaved(true);
    void client.invalidateQueries();
  }
  return (
    <Section title="Public name">
      <Text>
        Everybody sees it beside your tools: in the catalogue, and where a person lets a program call them. Without one,
        the host of your server stands there alone.
      </Text>
      {saved && <Text role="status">The public name is saved.</Text>}
      <Loaded of={account}>
        {({ public_name: name }) => (
          <Form submit="Save public name" send={send} onDone={done}>
            {(errorOf) => (
              <Stack maw={420}>
                <TextInput
                  name="name"
                  label="Public name"
                  maxLength={60}
                  autoComplete="organization"
                  defaultValue={name ?? ''}
                  error={errorOf('/public_name')}
                />
              </Stack>
            )}
          </Form>
        )}
      </Loaded>
    </Section>
  );
}
