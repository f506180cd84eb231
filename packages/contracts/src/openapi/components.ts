import { z } from 'zod';

const componentPrefix = '#/components/schemas/';
const options = { io: 'input', unrepresentable: 'any', target: 'draft-2020-12', override: keepExamples } as const;

/** Keywords that are zod's bookkeeping. */
const noise = new Set(['id', '$id', '$schema', '$defs']);

/** All schemas with an id, by that id. */
export function componentSchemas(): Record<string, object> {
  const { schemas } = z.toJSONSchema(z.globalRegistry, { ...options, uri: (id) => `${componentPrefix}${id}` });
  const entries = Object.entries(schemas).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([id, schema]) => [id, toPlainSchema(schema)]));
}

/** A reference for a schema with an id, else the schema itself with references inside. */
export function schemaOf(schema: z.ZodType): object {
  const id = z.globalRegistry.get(schema)?.id;
  return id === undefined ? toPlainSchema(z.toJSONSchema(schema, options)) : { $ref: `${componentPrefix}${id}` };
}

interface Overridden {
  readonly zodSchema: z.core.$ZodType;
  readonly jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * zod drops examples and defaults where a value is transformed, since they could describe the output. Ours describe the
 * input.
 */
function keepExamples({ zodSchema, jsonSchema }: Overridden): void {
  const meta = z.globalRegistry.get(zodSchema as z.ZodType); // the registry holds ZodTypes only
  if (meta?.examples !== undefined) jsonSchema.examples = meta.examples as unknown[];
  if (meta?.['default'] !== undefined) jsonSchema.default = meta['default'] as z.core.JSONSchema.JSONSchema['default'];
}

/** The schema without bookkeeping, its references leading to the components. */
function toPlainSchema(schema: object): object {
  const plain = withNullAsType(withoutWidestBounds(schema));
  const entries = Object.entries(plain).filter(([keyword]) => !noise.has(keyword));
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, toPlainValue(keyword, value)]));
}

/** `anyOf: [{ type: 'integer', … }, { type: 'null' }]` reads better as `type: ['integer', 'null'], …`; one of some values may be null then, too. */
function withNullAsType(schema: object): object {
  const { anyOf, ...rest } = schema as { anyOf?: readonly Record<string, unknown>[] };
  const [value, nothing] = anyOf ?? [];
  const isNullable = anyOf?.length === 2 && nothing?.['type'] === 'null' && typeof value?.['type'] === 'string';
  if (!isNullable) return schema;
  const values = value['enum'] as readonly unknown[] | undefined;
  return { ...value, ...rest, type: [value['type'], 'null'], ...(values && { enum: [...values, null] }) };
}

/**
 * A property with its default in words. Generators of clients take the keyword for "always there", and would make callers
 * send the field.
 */
function toProperty(schema: object): object {
  const { default: value, description, ...rest } = toPlainSchema(schema) as { default?: unknown; description?: string };
  const words = value === undefined ? [] : [`Default: \`${JSON.stringify(value)}\`.`];
  const text = [...(description === undefined ? [] : [description]), ...words].join(' ');
  return { ...rest, ...(text !== '' && { description: text }) };
}

function toPlainValue(keyword: string, value: unknown): unknown {
  if (keyword === '$ref') return String(value).replace('#/$defs/', componentPrefix);
  if (keyword === 'properties') return mapValues(value as Record<string, object>, toProperty); // JSON Schema says so
  if (keyword === 'examples' || keyword === 'enum' || keyword === 'const' || keyword === 'default') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => (isObject(item) ? toPlainSchema(item) : item));
  return isObject(value) ? toPlainSchema(value) : value;
}

/** A bound at ±(2⁵³ − 1) is what an integer has in JSON anyway. */
function withoutWidestBounds(schema: object): object {
  const { minimum, maximum, ...rest } = schema as { type?: unknown; minimum?: unknown; maximum?: unknown };
  if (rest.type !== 'integer') return schema;
  return {
    ...rest,
    ...(minimum !== Number.MIN_SAFE_INTEGER && minimum !== undefined && { minimum }),
    ...(maximum !== Number.MAX_SAFE_INTEGER && maximum !== undefined && { maximum }),
  };
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function mapValues(record: Record<string, object>, map: (value: object) => object): Record<string, object> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
