import type { FieldError } from '@tollgate/kernel/app-error';
import type { z } from 'zod';
import { escapePointer } from './parse-json.ts';

type Issue = z.core.$ZodIssue;

const errorsMax = 50;

/** zod's issues in our words: where (JSON Pointer), a stable code, and what to send instead. */
export function fromZodIssues(issues: readonly Issue[], input: unknown): FieldError[] {
  return issues.flatMap((issue) => flatten(issue, [])).slice(0, errorsMax).map(({ issue, path }) => ({
    pointer: path.map((step) => `/${escapePointer(String(step))}`).join(''),
    ...describe(issue, valueAt(input, path)),
  }));
}

/** One sentence for the problem's `detail`. */
export function summarise(what: string, errors: readonly FieldError[]): string {
  const [first] = errors;
  if (!first) return `The ${what} is not valid.`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : '';
  return `The ${what} is not valid: ${first.pointer || `the ${what}`} ${first.message}${more}.`;
}

/** The value that a path leads to; undefined where it leads nowhere. Own members only, so `__proto__` is a plain key. */
export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, step) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    return (value as Record<PropertyKey, unknown>)[step]; // it has that member
  }, input);
}

interface Located {
  readonly issue: Issue;
  readonly path: readonly PropertyKey[];
}

/** A union reports the branch that came nearest: the one with the fewest complaints. */
function flatten(issue: Issue, base: readonly PropertyKey[]): Located[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_union') {
    const [nearest] = issue.errors.filter((branch) => branch.length > 0).toSorted((a, b) => a.length - b.length);
    if (nearest) return nearest.flatMap((inner) => flatten(inner, path));
  }
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ issue, path: [...path, key] }));
  return [{ issue, path }];
}

function describe(issue: Issue, value: unknown): { code: string; message: string } {
  switch (issue.code) {
    case 'invalid_type': return describeType(issue.expected, value);
    case 'too_small':
    case 'too_big': return describeBound(issue);
    case 'invalid_format': return { code: 'invalid_format', message: customised(issue.message) ?? `must be a valid ${issue.format}` };
    case 'invalid_value': return { code: 'invalid_value', message: `must be ${issue.values.map((allowed) => JSON.stringify(allowed)).join(' or ')}` };
    case 'unrecognized_keys': return { code: 'unrecognized', message: 'is not known here; leave it out' };
    case 'not_multiple_of': return { code: 'not_multiple_of', message: `must be a multiple of ${issue.divisor}` };
    case 'custom': return { code: customCode(issue.params), message: issue.message };
    default: return { code: 'invalid_value', message: customised(issue.message) ?? 'is not valid' };
  }
}

function describeType(expected: string, value: unknown): { code: string; message: string } {
  if (value === undefined) return { code: 'required', message: 'is required' };
  const kind = expected === 'int' ? 'integer' : expected;
  return { code: 'invalid_type', message: `must be ${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}` };
}

type BoundIssue = Extract<Issue, { code: 'too_small' | 'too_big' }>;

function describeBound(issue: BoundIssue): { code: string; message: string } {
  const isSmall = issue.code === 'too_small';
  const bound = String(isSmall ? issue.minimum : issue.maximum);
  const limit = isSmall ? (issue.inclusive === false ? 'more than' : 'at least') : (issue.inclusive === false ? 'less than' : 'at most');
  const unit = ({ string: 'characters', array: 'items', set: 'items', map: 'entries' } as Record<string, string>)[issue.origin];
  if (unit) return { code: isSmall ? 'too_short' : 'too_long', message: `must have ${limit} ${bound} ${unit}` };
  return { code: issue.code, message: `must be ${limit} ${bound}` };
}

/** A schema's own message, as opposed to zod's, which all begin with "Invalid". */
function customised(message: string): string | undefined {
  return message.startsWith('Invalid') ? undefined : message;
}

function customCode(params: Record<string, unknown> | undefined): string {
  return typeof params?.['code'] === 'string' ? params['code'] : 'invalid_value';
}
