import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { ask } from '../api/queries.ts';
import { Facts } from '../patterns/facts.tsx';
import { exactTextOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Section } from '../patterns/section.tsx';
import { ShownOnce } from '../patterns/shown-once.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { Password } from '../session/password.tsx';
import { toProof } from '../session/session.ts';
import { TotpSecret } from './totp-secret.tsx';

/** Codes of an authenticator, which a sign-in needs beside the password. */
export function SecondFactor(): ReactNode {
  const state = useQuery(ask('getTotp'));
  const [codes, setCodes] = useState<readonly string[]>();
  return (
    <Section title="Second factor">
      {codes !== undefined && (
        <ShownOnce text={codes.join('\n')} what="list of recovery codes">
          Each signs you in once if you lose your authenticator. Keep them where it is not. Earlier ones are void.
        </ShownOnce>
      )}
      <Loaded of={state}>
        {(totp) => (totp.enabled ? <TurnedOn totp={totp} onCodes={setCodes} /> : <SetUp onCodes={setCodes} />)}
      </Loaded>
    </Section>
  );
}

type OnCodes = (codes: readonly string[] | undefined) => void;

function SetUp({ onCodes }: { readonly onCodes: OnCodes }): ReactNode {
  const [begun, setBegun] = useState<Schemas['BegunTotp']>();
  if (begun !== undefined) return <ConfirmCode begun={begun} onCodes={onCodes} />;
  const send = (fields: FormData) => call('beginTotp', { body: { password: exactTextOf(fields, 'password') } });
  return (
    <>
      <Text>It is off: the password alone signs you in.</Text>
      <Form submit="Set up" send={send} onDone={setBegun} isPublic>
        {(errorOf) => (
          <Stack maw={420}>
            <Password autoComplete="current-password" error={errorOf('/password')} />
          </Stack>
        )}
      </Form>
    </>
  );
}

interface Begun {
  readonly begun: Schemas['BegunTotp'];
  readonly onCodes: OnCodes;
}

function ConfirmCode({ begun, onCodes }: Begun): ReactNode {
  const client = useQueryClient();
  const send = (fields: FormData) =>
    call('confirmTotp', { body: { code: textOf(fields, 'code').replaceAll(' ', '') } });
  return (
    <>
      <TotpSecret begun={begun} />
      <Form
        submit="Turn on"
        send={send}
        onDone={({ recovery_codes: codes }) => {
          onCodes(codes);
          void client.invalidateQueries();
        }}
        isPublic
      >
        {(errorOf) => (
          <TextInput name="code" label="Code" autoComplete="one-time-code" maw={420} error={errorOf('/code')} />
        )}
      </Form>
    </>
  );
}

interface On {
  readonly totp: Schemas['TotpState'];
  readonly onCodes: OnCodes;
}

function TurnedOn({ totp, onCodes }: On): ReactNode {
  const client = useQueryClient();
  const again = () => void client.invalidateQueries();
  return (
    <>
      <Facts
        facts={{
          State: <StatusBadge status="enabled" />,
          Since: <Time at={totp.confirmed_at} />,
          'Recovery codes left': totp.recovery_codes_left,
        }}
      />
      <Prove
        submit="Replace recovery codes"
        send={(body) => call('replaceRecoveryCodes', { body })}
        onDone={({ recovery_codes: codes }) => {
          onCodes(codes);
          again();
        }}
      />
      <Text>If you turn it off, the password alone signs you in, and all other sessions end.</Text>
      <Prove
        submit="Turn off"
        send={(body) => call('removeTotp', { body })}
        onDone={() => {
          onCodes(undefined);
          again();
        }}
      />
    </>
  );
}

interface Proved<Answer> {
  readonly submit: string;
  readonly send: (proof: object) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
}

/** A form that takes the password and a code. */
function Prove<Answer>({ submit, send, onDone }: Proved<Answer>): ReactNode {
  const [times, setTimes] = useState(0);
  const prove = (fields: FormData) =>
    send({ password: exactTextOf(fields, 'password'), ...toProof(textOf(fields, 'code')) });
  return (
    <Form
      key={times}
      submit={submit}
      send={prove}
      onDone={(answer) => {
        setTimes(times + 1);
        onDone(answer);
      }}
      isPublic
    >
      {(errorOf) => (
        <Stack maw={420}>
          <Password autoComplete="current-password" error={errorOf('/password')} />
          <TextInput
            name="code"
            label="Code"
            description="Six digits of your authenticator, or a recovery code."
            autoComplete="one-time-code"
            error={errorOf('/totp_code') ?? errorOf('/recovery_code')}
          />
        </Stack>
      )}
    </Form>
  );
}
