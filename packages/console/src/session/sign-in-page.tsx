import { Alert, Anchor, Group, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ProblemError } from '../api/problem.ts';
import { exactTextOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Door } from './door.tsx';
import { CodeField } from '../patterns/code-field.tsx';
import { Password } from './password.tsx';
import { signIn } from './session.ts';

export function SignInPage(): ReactNode {
  const { next, ended } = useSearch({ from: '/sign-in' });
  const [needsCode, setNeedsCode] = useState(false);
  const enter = useEnter(next);
  async function send(fields: FormData): Promise<void> {
    const code = textOf(fields, 'code');
    const credentials = { email: textOf(fields, 'email'), password: exactTextOf(fields, 'password') };
    await signIn({ ...credentials, ...(code !== '' && { code }) }).catch((error: unknown) => {
      if (error instanceof ProblemError && error.code === 'second_factor_required') setNeedsCode(true);
      throw error;
    });
  }
  return (
    <Door title="Sign in" other={<OtherWays />}>
      {ended === 'yes' && (
        <Alert color="orange" title="Your session has ended.">
          Sign in again, and you go on where you were.
        </Alert>
      )}
      <Form submit="Sign in" send={send} onDone={enter} isPublic>
        {(errorOf) => (
          <>
            <TextInput name="email" type="email" label="E-mail" autoComplete="username" error={errorOf('/email')} />
            <Password autoComplete="current-password" error={errorOf('/password')} />
            {needsCode && <CodeField errorOf={errorOf} />}
          </>
        )}
      </Form>
    </Door>
  );
}

function OtherWays(): ReactNode {
  return (
    <Group component="span" justify="space-between">
      <TextLink to="/sign-up">Create an account</TextLink>
      <Anchor href="/password-reset" underline="always" inherit>
        Forgot your password?
      </Anchor>
    </Group>
  );
}

/** Goes to the page that was wanted, without anything that another account was shown. */
export function useEnter(next: string | undefined): () => void {
  const client = useQueryClient();
  const router = useRouter();
  return function enter() {
    client.clear();
    router.history.push(next ?? '/app');
  };
}
