import type { z } from 'zod';
import type { FieldError } from '@tollgate/kernel/app-error';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** What zod found, as the `errors` of a problem: JSON Pointers and codes of our own. `input` tells missing from wrong. */
export function fieldErrorsOf(error: z.ZodError, input: unknown): FieldError[] {
  return error.issues.flatMap((issue) => fieldErrorsOfIssue(issue, input));
}

/** RFC 6901: `~` and `/` inside a key are escaped. The whole document is the empty pointer. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function fieldErrorsOfIssue(issue: Issue, input: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: pointerOf([...issue.path, key]),
      code: 'unknown_field',
      message: 'is not a field here',
    }));
  }
  if (issue.code !== 'custom' && valueAt(input, issue.path) === undefined) {
    return [{ pointer: pointerOf(issue.path), code: 'required', message: 'is required' }];
  }
  return [{ pointer: pointerOf(issue.path), code: codeOf(issue), message: issue.message }];
}

function codeOf(issue: Issue): string {
  switch (issue.code) {
    case 'custom':
      return typeof issue.params?.['code'] === 'string' ? issue.params['code'] : 'invalid';
    case 'too_small':
      return isOfText(issue.origin) ? 'too_short' : 'too_small';
    case 'too_big':
      return isOfText(issue.origin) ? 'too_long' : 'too_big';
    case 'invalid_union':
      return 'invalid_value';
    default:
      return issue.code;
  }
}

function isOfText(origin: string): boolean {
  return origin === 'string' || origin === 'array';
}

/** Own properties only: a path never leads into a prototype. */
function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key]; // an object with this key, see above
  }, input);
}
