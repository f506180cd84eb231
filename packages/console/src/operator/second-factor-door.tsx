import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { exactTextOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { ShownOnce } from '../patterns/shown-once.tsx';
import { TotpSecret } from '../security/totp-secret.tsx';
import { Password } from '../session/password.tsx';
import { CodeField } from '../patterns/code-field.tsx';
import { showCode } from './operator-api.ts';

/** Stands before the operator's pages until this browser has shown a second factor. */
export function SecondFactorDoor(): ReactNode {
  const client = useQueryClient();
  const enter = () => void client.invalidateQueries({ queryKey: ['operatorGate'] });
  const factor = useQuery(ask('getTotp'));
  return (
    <Page title="Second factor">
      <Loaded of={factor}>
        {({ enabled }) => (enabled ? <ShowCode onShown={enter} /> : <SetUp onDone={enter} />)}
      </Loaded>
    </Page>
  );
}

function ShowCode({ onShown }: { readonly onShown: () => void }): ReactNode {
  return (
    <Stack maw={420}>
      <Text>The pages of the operator open once this browser has shown a code.</Text>
      <Form submit="Show code" send={(fields) => showCode(textOf(fields, 'code'))} onDone={onShown}>
        {(errorOf) => <CodeField errorOf={errorOf} />}
      </Form>
    </Stack>
  );
}

function SetUp({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [begun, setBegun] = useState<Schemas['BegunTotp']>();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onKept={onDone} />;
  return (
    <Stack maw={420}>
      <Text>
        The pages of the operator need a second factor: an app on your phone that shows a new code every 30 seconds.
      </Text>
      {begun === undefined ? (
        <Form
          submit="Begin"
          send={(fields) => call('beginTotp', { body: { password: exactTextOf(fields, 'password') } })}
          onDone={setBegun}
          isPublic
        >
          {(errorOf) => <Password autoComplete="current-password" error={errorOf('/password')} />}
        </Form>
      ) : (
        <Confirmation begun={begun} onConfirmed={setCodes} />
      )}
    </Stack>
  );
}

interface Confirming {
  readonly begun: Schemas['BegunTotp'];
  readonly onConfirmed: (codes: readonly string[]) => void;
}

function Confirmation({ begun, onConfirmed }: Confirming): ReactNode {
  return (
    <>
      <TotpSecret begun={begun} />
      <Form
        submit="Turn on"
        send={(fields) => call('confirmTotp', { body: { code: textOf(fields, 'code') } })}
        onDone={({ recovery_codes: codes }) => onConfirmed(codes)}
      >
        {(errorOf) => (
          <TextInput
            name="code"
            label="Code"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={errorOf('/code')}
          />
        )}
      </Form>
    </>
  );
}

function RecoveryCodes({ codes, onKept }: { readonly codes: readonly string[]; onKept: () => void }): ReactNode {
  return (
    <>
      <ShownOnce text={codes.join('\n')} what="list of recovery codes">
        Each replaces one code of your app, once. Keep them where your phone is not.
      </ShownOnce>
      <Form submit="I have kept them" send={() => Promise.resolve()} onDone={onKept}>
        {() => null}
      </Form>
    </>
  );
}
