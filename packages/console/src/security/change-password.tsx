import { Checkbox, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { exactTextOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Section } from '../patterns/section.tsx';
import { Password } from '../session/password.tsx';

/** Another password ends all other sessions, and API keys if that is wanted. */
export function ChangePassword(): ReactNode {
  const client = useQueryClient();
  const [changes, setChanges] = useState(0);
  const send = (fields: FormData) =>
    call('changePassword', {
      body: {
        current_password: exactTextOf(fields, 'current'),
        new_password: exactTextOf(fields, 'new'),
        revoke_api_keys: fields.get('revoke') !== null,
      },
    });
  function done(): void {
    setChanges(changes + 1);
    void client.invalidateQueries();
  }
  return (
    <Section title="Password">
      {changes > 0 && <Text role="status">The password is changed, and all other sessions have ended.</Text>}
      <Form key={changes} submit="Change password" send={send} onDone={done} isPublic>
        {(errorOf) => (
          <Stack maw={420}>
            <Password
              name="current"
              label="Current password"
              autoComplete="current-password"
              error={errorOf('/current_password')}
            />
            <Password name="new" label="New password" autoComplete="new-password" error={errorOf('/new_password')} />
            <Checkbox name="revoke" label="Revoke all API keys, too: programs that have one are refused" />
          </Stack>
        )}
      </Form>
    </Section>
  );
}
