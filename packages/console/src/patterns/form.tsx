import { Alert, Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useRef } from 'react';
import { ProblemError, sentenceOf } from '../api/problem.ts';

interface Filled<Answer> {
  /** The verb of its button. */
  readonly submit: string;
  /** Sends what the fields have. The key stays the same while they do, so that a second try has no second effect. */
  readonly send: (fields: FormData, idempotencyKey: string) => Promise<Answer>;
  readonly onDone: (answer: Answer) => void;
  /** The fields. `errorOf` finds what the service says of one, by its JSON pointer. */
  readonly children: (errorOf: (pointer: string) => string | undefined) => ReactNode;
  /** Refusals of it do not mean that the session has ended. */
  readonly isPublic?: boolean;
  /** Marks an act that cannot be undone. */
  readonly isDestructive?: boolean;
}

/** A form that shows the service's own words for what it refuses, each beside its field. */
export function Form<Answer>({ submit, send, onDone, children, isPublic, isDestructive }: Filled<Answer>): ReactNode {
  const keyOf = useKey();
  const sending = useMutation({
    mutationFn: (fields: FormData) => send(fields, keyOf(fields)),
    onSuccess: onDone,
    meta: { isPublic: isPublic === true },
  });
  const fieldErrors = sending.error instanceof ProblemError ? sending.error.fields : [];
  const errorOf = (pointer: string) => fieldErrors.find((error) => error.pointer.startsWith(pointer))?.message;
  function submitFields(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (!sending.isPending) sending.mutate(new FormData(event.currentTarget));
  }
  return (
    <form onSubmit={submitFields} noValidate>
      <Stack>
        {children(errorOf)}
        {sending.isError && <Alert color="red" role="alert" title={sentenceOf(sending.error)} />}
        <Group>
          <Button type="submit" loading={sending.isPending} {...(isDestructive && { color: 'red' })}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Gives the same key for the same fields, and another one for others. */
function useKey(): (fields: FormData) => string {
  const last = useRef({ text: '', key: '' });
  return function keyOf(fields) {
    const text = JSON.stringify([...fields]);
    if (last.current.text !== text) last.current = { text, key: crypto.randomUUID() };
    return last.current.key;
  };
}
