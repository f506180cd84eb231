import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface Typed {
  readonly label: string;
  readonly placeholder: string;
  /** The text that the address has. */
  readonly text: string | undefined;
  readonly onText: (text: string) => void;
}

/** A filter that counts once it is typed: at Enter, or when the field is left. */
export function TypedFilter({ text = '', ...props }: Typed): ReactNode {
  return <Field key={text} text={text} {...props} />;
}

function Field({ label, placeholder, text, onText }: Typed & { readonly text: string }): ReactNode {
  const [typed, setTyped] = useState(text);
  const settle = () => typed.trim() !== text && onText(typed.trim());
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={settle}
      onKeyDown={(event) => event.key === 'Enter' && settle()}
    />
  );
}
