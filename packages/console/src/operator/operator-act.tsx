import { TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { ProblemError } from '../api/problem.ts';
import { ActDialog } from '../patterns/act-dialog.tsx';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { CodeField } from '../patterns/code-field.tsx';
import { showCode, wantsCode } from './operator-api.ts';

interface Acted {
  /** The verb and its object: `Void invoice`. */
  readonly label: string;
  /** Says what happens then, in whole sentences. */
  readonly children: ReactNode;
  readonly fields?: (errorOf: (pointer: string) => string | undefined) => ReactNode;
  /** A text that has to be typed: a second look at what is about to change. */
  readonly typed?: { readonly label: string; readonly text: string };
  readonly isDestructive?: boolean;
  readonly act: (fields: FormData, idempotencyKey: string) => Promise<unknown>;
}

/** A button whose act happens after its consequences were read, and a code was shown where it needs a fresh one. */
export function OperatorAct({ label, children, fields, typed, isDestructive = false, act }: Acted): ReactNode {
  const disclosure = useDisclosure(false);
  const [, { close }] = disclosure;
  const client = useQueryClient();
  const { needsCode, withCode } = useCode();
  async function send(filled: FormData, key: string): Promise<unknown> {
    if (typed !== undefined && textOf(filled, 'typed') !== typed.text) throw mistyped(typed.text);
    return withCode(filled, () => act(filled, key));
  }
  async function done(): Promise<void> {
    close();
    await client.invalidateQueries();
  }
  return (
    <ActDialog label={label} disclosure={disclosure}>
      {children}
      <Form submit={label} send={send} onDone={() => void done()} isDestructive={isDestructive}>
        {(errorOf) => (
          <>
            {fields?.(errorOf)}
            {typed !== undefined && (
              <TextInput name="typed" label={typed.label} autoComplete="off" error={errorOf('/typed')} />
            )}
            {needsCode && <CodeField errorOf={errorOf} />}
          </>
        )}
      </Form>
    </ActDialog>
  );
}

function mistyped(text: string): ProblemError {
  const message = `must be ${text}`;
  return new ProblemError(0, 'unreadable', {
    detail: 'Nothing was changed: look again at what you are about to do.',
    errors: [{ pointer: '/typed', code: 'invalid_value', message }],
  });
}

/** A code works once: one that was shown is not shown again when the act is tried again. */
function useCode() {
  const [needsCode, setNeedsCode] = useState(false);
  const shown = useRef('');
  async function withCode(fields: FormData, act: () => Promise<unknown>): Promise<unknown> {
    const code = textOf(fields, 'code');
    if (code !== '' && code !== shown.current) {
      await showCode(code);
      shown.current = code;
    }
    return act().catch((error: unknown) => {
      if (!wantsCode(error)) throw error;
      setNeedsCode(true);
      throw new ProblemError(403, 'operator_code_required', {
        detail: 'This needs a code of your second factor from the last 15 minutes.',
      });
    });
  }
  return { needsCode, withCode };
}
