import { TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { exactTextOf, textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { TextLink } from '../patterns/links.tsx';
import { Door } from './door.tsx';
import { Password } from './password.tsx';
import { signUp } from './session.ts';
import { useEnter } from './sign-in-page.tsx';

export function SignUpPage(): ReactNode {
  const enter = useEnter(undefined);
  const send = (fields: FormData) =>
    signUp({ email: textOf(fields, 'email'), password: exactTextOf(fields, 'password') });
  return (
    <Door title="Create an account" other={<TextLink to="/sign-in">Sign in instead</TextLink>}>
      <Form submit="Create account" send={send} onDone={enter} isPublic>
        {(errorOf) => (
          <>
            <TextInput name="email" type="email" label="E-mail" autoComplete="username" error={errorOf('/email')} />
            <Password autoComplete="new-password" error={errorOf('/password')} />
          </>
        )}
      </Form>
    </Door>
  );
}
