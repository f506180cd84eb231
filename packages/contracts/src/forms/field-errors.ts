import type { FieldError } from '@tollgate/kernel/app-error';
import type { z } from 'zod';
import { knownFieldsOf } from './closed-object.ts';
import { unknownFieldError } from './unknown-field.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** A body of a mebibyte can be wrong in thousands of places, and nobody reads more than this. */
const errorsMax = 50;

/** The `errors` of a problem, from zod's issues: JSON Pointers into `input`, with our own codes and messages. */
export function fieldErrorsOf(error: z.ZodError, input: unknown): FieldError[] {
  return error.issues.flatMap((issue) => fieldErrorsOfIssue(issue, input)).slice(0, errorsMax);
}

/** RFC 6901: `~` and `/` inside a key are escaped. The whole document is the empty pointer. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function fieldErrorsOfIssue(issue: Issue, input: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownFieldsOf(issue);
    return issue.keys.map((key) => unknownFieldError(key, { pointer: pointerOf([...issue.path, key]), known }));
  }
  // A custom rule about the whole object may point at an absent field; its own message then says what is wrong.
  if (issue.code !== 'custom' && valueAt(input, issue.path) === undefined) {
    const known = issue.code === 'invalid_union' ? knownTypesOf(issue) : '';
    return [
      { pointer: pointerOf(issue.path), code: 'required', message: known ? `is required: ${known}` : 'is required' },
    ];
  }
  return [{ pointer: pointerOf(issue.path), ...describe(issue) }];
}

type Description = Pick<FieldError, 'code' | 'message'>;

function describe(issue: Issue): Description {
  const own = issue.message.startsWith('Invalid') ? undefined : issue.message; // zod's messages begin so, ours never do
  switch (issue.code) {
    case 'custom':
      return { code: codeOf(issue.params), message: own ?? 'is not valid' };
    case 'invalid_type':
      return {
        code: 'invalid_type',
        message: own ?? `must be of type ${issue.expected === 'int' ? 'integer' : issue.expected}`,
      };
    case 'too_small':
      return describeBound(issue, `at least ${issue.minimum}`);
    case 'too_big':
      return describeBound(issue, `at most ${issue.maximum}`);
    default:
      return describeValue(issue, own);
  }
}

function describeValue(issue: Issue, own: string | undefined): Description {
  if (issue.code === 'invalid_value')
    return { code: 'invalid_value', message: own ?? `must be ${listOf(issue.values)}` };
  if (issue.code === 'invalid_union') {
    const known = knownTypesOf(issue);
    return { code: 'invalid_value', message: own ?? (known ? `must be ${known}` : 'is not valid') };
  }
  return { code: issue.code, message: own ?? 'is not valid' };
}

type BoundIssue = Extract<Issue, { code: 'too_small' | 'too_big' }>;

function describeBound(issue: BoundIssue, bound: string): Description {
  const isSmall = issue.code === 'too_small';
  if (issue.origin === 'string') {
    return { code: isSmall ? 'too_short' : 'too_long', message: `must have ${bound} characters` };
  }
  if (issue.origin === 'array')
    return { code: isSmall ? 'too_short' : 'too_long', message: `must have ${bound} items` };
  return { code: issue.code, message: `must be ${bound}` };
}

/** The values of the field that decides which branch of a union applies; empty for other unions. */
function knownTypesOf(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const { options } = issue as { readonly options?: readonly unknown[] }; // zod's type leaves it out
  return listOf(options ?? []);
}

function codeOf(params: Record<string, unknown> | undefined): string {
  return typeof params?.['code'] === 'string' ? params['code'] : 'invalid_value';
}

function listOf(values: readonly unknown[]): string {
  return values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))).join(' or ');
}

/** Own properties only: a path never leads into a prototype. */
function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key]; // an object with this key, see above
  }, input);
}
