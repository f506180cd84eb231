import { z } from 'zod';

const separator = ', ';

/**
 * An object that refuses unknown fields: the body of every request outside events and accounts. A misspelt field that was
 * merely ignored would make the request do something else than its caller meant.
 */
export function closedObject<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const known = Object.keys(shape).join(separator);
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? known : undefined) });
}

/** The fields that the object of this issue knows; empty for an object that is not made by `closedObject`. */
export function knownFieldsOf({ message }: { readonly message: string }): readonly string[] {
  return message.startsWith('Unrecognized') ? [] : message.split(separator);
}
