import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { closedObject } from './closed-object.ts';
import { fieldErrorsOf } from './field-errors.ts';
import { unknownFieldError } from './unknown-field.ts';

const known = ['tool_id', 'consumer_id', 'from', 'to', 'limit'];
const messageOf = (name: string) => unknownFieldError(name, { pointer: `/${name}`, known }).message;

describe('the error of an unknown field', () => {
  it.each([
    ['consumerId', 'consumer_id'],
    ['ConsumerID', 'consumer_id'],
    ['tool-id', 'tool_id'],
    ['toolid', 'tool_id'],
    ['limt', 'limit'],
    ['limits', 'limit'],
  ])('%s asks for the field that was meant', (name, meant) => {
    expect(messageOf(name)).toBe(`is not known here; did you mean \`${meant}\`?`);
  });

  it.each(['a', 'role', '__proto__', '', 'x'.repeat(60_000)])(
    'lists the known fields where none is like it (%#)',
    (name) => {
      expect(messageOf(name)).toBe('is not known here; known here: tool_id, consumer_id, from, to, limit');
    },
  );

  it('says that there are none', () => {
    expect(unknownFieldError('x', { pointer: '/x', known: [] }).message).toBe('is not known here; known here: none');
  });
});

describe('a closed object', () => {
  const schema = closedObject({ name: z.string(), size_bytes: z.int().optional() });
  const errorsOf = (value: unknown) => {
    const { error } = schema.safeParse(value);
    return error && fieldErrorsOf(error, value);
  };

  it('takes its fields', () => {
    expect(schema.parse({ name: 'a', size_bytes: 1 })).toEqual({ name: 'a', size_bytes: 1 });
  });

  it('refuses each other field, also `__proto__`, with advice', () => {
    expect(errorsOf(JSON.parse('{"name":"a","sizeBytes":1,"__proto__":{"size_bytes":2}}'))).toEqual([
      { pointer: '/sizeBytes', code: 'unknown_field', message: 'is not known here; did you mean `size_bytes`?' },
      { pointer: '/__proto__', code: 'unknown_field', message: 'is not known here; known here: name, size_bytes' },
    ]);
  });

  it('says what else is wrong as other objects do', () => {
    expect(errorsOf({ name: 1 })).toEqual([
      { pointer: '/name', code: 'invalid_type', message: 'must be of type string' },
    ]);
    expect(errorsOf([])).toEqual([{ pointer: '', code: 'invalid_type', message: 'must be of type object' }]);
  });
});
