import type { FieldError } from '@tollgate/kernel/app-error';
import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** More would help nobody, and a hostile body could make millions. */
const errorsMax = 50;

/**
 * What zod found, as the `errors` of a problem: where (JSON Pointer), a stable code, and what to send instead. `input`
 * tells missing from wrong.
 */
export function fieldErrorsOf(error: z.ZodError, input: unknown): FieldError[] {
  return error.issues
    .flatMap((issue) => locate(issue, []))
    .slice(0, errorsMax)
    .map(({ issue, path }) => ({ pointer: pointerOf(path), ...describe(issue, valueAt(input, path)) }));
}

/** RFC 6901: `~` and `/` inside a key are escaped. The whole document is the empty pointer. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

interface LocatedIssue {
  readonly issue: Issue;
  readonly path: Path;
}

/** A union speaks with the voice of the branch that came nearest: the one with the fewest complaints. */
function locate(issue: Issue, base: Path): LocatedIssue[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => ({ issue, path: [...path, key] }));
  if (issue.code !== 'invalid_union') return [{ issue, path }];
  const [nearest] = issue.errors.filter((branch) => branch.length > 0).toSorted((a, b) => a.length - b.length);
  return nearest ? nearest.flatMap((inner) => locate(inner, path)) : [{ issue, path }];
}

interface Description {
  readonly code: string;
  readonly message: string;
}

function describe(issue: Issue, value: unknown): Description {
  if (issue.code === 'unrecognized_keys') return { code: 'unknown_field', message: 'is not a field here' };
  if (issue.code === 'custom') return { code: codeOfCustom(issue.params), message: issue.message };
  if (value === undefined) return { code: 'required', message: 'is required' };
  if (issue.code === 'too_small' || issue.code === 'too_big') return describeBound(issue);
  return describeValue(issue);
}

type BoundIssue = Extract<Issue, { code: 'too_small' | 'too_big' }>;

function describeBound(issue: BoundIssue): Description {
  const unit = { string: 'characters', array: 'items' }[issue.origin as string];
  const bound = issue.code === 'too_small' ? `at least ${issue.minimum}` : `at most ${issue.maximum}`;
  const limit =
    issue.inclusive === false ? bound.replace('at least', 'more than').replace('at most', 'less than') : bound;
  const own = ownMessage(issue);
  if (unit === undefined) return { code: issue.code, message: own ?? `must be ${limit}` };
  return { code: issue.code === 'too_small' ? 'too_short' : 'too_long', message: own ?? `must have ${limit} ${unit}` };
}

type ValueIssue = Exclude<Issue, BoundIssue | { code: 'custom' | 'unrecognized_keys' }>;

function describeValue(issue: ValueIssue): Description {
  const [code, message] = wordsOf(issue);
  return { code, message: ownMessage(issue) ?? message };
}

function wordsOf(issue: ValueIssue): [code: string, message: string] {
  switch (issue.code) {
    case 'invalid_type':
      return [issue.code, `must be ${withArticle(issue.expected)}`];
    case 'invalid_value':
      return [issue.code, `must be ${issue.values.map(quote).join(' or ')}`];
    case 'invalid_format':
      return [issue.code, `must be ${withArticle(`valid ${issue.format}`)}`];
    case 'not_multiple_of':
      return [issue.code, `must be a multiple of ${issue.divisor}`];
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
      return ['invalid_value', 'is not valid'];
  }
}

/** A schema's own message; zod's all begin with one of these words and tell what was wrong, not what to send. */
function ownMessage({ message }: Issue): string | undefined {
  return /^(Invalid|Too|Unrecognized)/.test(message) ? undefined : message;
}

function withArticle(noun: string): string {
  const plain = noun === 'int' ? 'integer' : noun;
  return `${/^[aeio]/.test(plain) ? 'an' : 'a'} ${plain}`;
}

function quote(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value);
}

function codeOfCustom(params: Record<string, unknown> | undefined): string {
  return typeof params?.['code'] === 'string' ? params['code'] : 'invalid';
}

/** Own properties only: a path never leads into a prototype. */
function valueAt(input: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key]; // an object with this key, see above
  }, input);
}
