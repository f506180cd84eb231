import { asObject } from './json-rpc.ts';

type Schema = Readonly<Record<string, unknown>>;

/** `$ref` may lead in a circle. */
const depthMax = 32;

/**
 * Whether a value surely does not fit a JSON Schema. Servers take "3" for 3 and JSON in a string for what it says, and know
 * rules that a schema cannot tell: in doubt a value fits.
 */
export function isUnfit(schema: unknown, value: unknown): boolean {
  return isUnfitIn(asObject(schema), schema, { value, depth: 0 });
}

interface Place {
  readonly value: unknown;
  readonly depth: number;
}

function isUnfitIn(root: Schema, given: unknown, { value, depth }: Place): boolean {
  if (depth > depthMax) return false;
  const schema = asObject(given);
  const check = (inner: unknown, at: unknown = value) => isUnfitIn(root, inner, { value: at, depth: depth + 1 });
  if (typeof schema['$ref'] === 'string') return check(resolve(root, schema['$ref']));
  if (isOfNoChoice(schema, (inner) => check(inner))) return true;
  if (isOfNoType(schema['type'], value) || isNoneOf(schema, value)) return true;
  if (Array.isArray(value)) return value.some((item) => check(schema['items'], item));
  return isObject(value) && isUnfitObject(schema, value as object, check);
}

function isOfNoChoice(schema: Schema, check: (inner: unknown) => boolean): boolean {
  const choices = [listOf(schema['anyOf']), listOf(schema['oneOf'])];
  return listOf(schema['allOf']).some(check) || choices.some((some) => some.length > 0 && some.every(check));
}

function isUnfitObject(schema: Schema, value: object, check: (inner: unknown, at: unknown) => boolean): boolean {
  const properties = asObject(schema['properties']);
  const fields = Object.entries(value);
  if (listOf(schema['required']).some((name) => !Object.hasOwn(value, String(name)))) return true;
  const isClosed = schema['additionalProperties'] === false && schema['patternProperties'] === undefined;
  if (isClosed && fields.some(([name]) => !Object.hasOwn(properties, name))) return true;
  return fields.some(([name, field]) => Object.hasOwn(properties, name) && check(properties[name], field));
}

function isOfNoType(type: unknown, value: unknown): boolean {
  const types = typeof type === 'string' ? [type] : listOf(type);
  return types.length > 0 && !types.some((one) => isTakenFor(String(one), value));
}

function isTakenFor(type: string, value: unknown): boolean {
  const isTaken = takenFor[type];
  return isTaken === undefined || isTaken(value);
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const takenFor: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => typeof value === 'boolean' || (isNumeric(value) && Number.isInteger(Number(value))),
  number: (value) => typeof value === 'boolean' || isNumeric(value),
  boolean: (value) => typeof value === 'boolean' || /^(0|1|true|false|yes|no|on|off|t|f|y|n)$/i.test(textOf(value)),
  null: (value) => value === null,
  array: (value) => Array.isArray(fromJson(value)),
  object: (value) => isObject(fromJson(value)),
};

function isNumeric(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\s*[-+]?[\d_.]+(e[-+]?\d+)?\s*$/i.test(value));
}

/** A text as it is, and everything else as JSON has it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function fromJson(value: unknown): unknown {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return value;
  }
}

/** Whether `enum` or `const` names other values. What is no text may be taken for a text, and the reverse. */
function isNoneOf(schema: Schema, value: unknown): boolean {
  const named = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  return named.length > 0 && typeof value !== 'object' && !named.some((one) => textOf(one) === textOf(value));
}

function resolve(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#')) return {};
  const names = reference.slice(1).split('/').slice(1);
  return names.reduce<unknown>((at, name) => asObject(at)[name.replaceAll('~1', '/').replaceAll('~0', '~')], root);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
