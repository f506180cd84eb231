import { fieldErrorsOf, pointerOf } from '@tollgate/contracts/forms/field-errors';
import { unknownFieldError } from '@tollgate/contracts/forms/unknown-field';
import { AppError } from '@tollgate/kernel/app-error';
import { isPlainName, isWellFormed } from '@tollgate/kernel/text';
import { z } from 'zod';
import { invalidInput, invalidRequest } from './invalid-request.ts';

const errorsMax = 50;

export interface ParsedBody<Value> {
  readonly value: Value;
  /** Top-level fields that the schema does not know, for X-Ignored-Fields. */
  readonly ignoredFields: readonly string[];
}

/** The body as its schema describes it. Throws a 400 that names every problem. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, value: unknown): ParsedBody<z.output<Schema>> {
  return { value: parseOrThrow(schema, value, 'body'), ignoredFields: unknownFields(schema, value) };
}

/** The query parameters as their schema describes them; each is text. Throws 400 for a parameter that comes twice. */
export function parseQuery<Schema extends z.ZodType>(schema: Schema, url: string): z.output<Schema> {
  return parseOrThrow(schema, readQuery(url), 'query');
}

/** Throws a 400 that names every parameter that the query of the route does not have. */
export function refuseUnknownParameters(schema: z.ZodObject | undefined, url: string): void {
  if (!url.includes('?')) return;
  const known = Object.keys(schema?.shape ?? {});
  const unknown = Object.keys(readQuery(url)).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const errors = unknown.map((name) => unknownFieldError(name, { pointer: pointerOf([name]), known }));
  throw invalidInput('query', errors.slice(0, errorsMax));
}

/** The path's parameters. Throws 404 for text that cannot be an id, as for an unknown id. */
export function parseParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (!parsed.success) throw new AppError('not_found', nothingNamed(params, parsed.error));
  return parsed.data;
}

function nothingNamed(params: unknown, error: z.ZodError): string {
  if (typeof params !== 'string' || !isPlainName(params)) return 'The path has no valid id.';
  const [first] = fieldErrorsOf(error, params);
  return `There is nothing with the id \`${params}\`: it ${first?.message ?? 'is not valid'}.`;
}

function parseOrThrow<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: 'body' | 'query',
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw invalidInput(what, fieldErrorsOf(parsed.error, value));
}

function unknownFields(schema: z.ZodType, value: unknown): string[] {
  const known = shapeOf(schema);
  if (!known || typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.keys(value).filter((name) => !Object.hasOwn(known, name));
}

/** The fields of an object schema, also of one under a transformation, and of every branch of a union. */
function shapeOf(schema: z.core.$ZodType): Record<string, unknown> | undefined {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in) ?? shapeOf(schema.out);
  if (schema instanceof z.ZodUnion) {
    const shapes = schema.options.map(shapeOf);
    return shapes.every((shape) => shape !== undefined)
      ? (Object.assign({}, ...shapes) as Record<string, unknown>)
      : undefined;
  }
  return undefined;
}

function readQuery(url: string): Record<string, string> {
  const start = url.indexOf('?');
  const query: Record<string, string> = {};
  if (start === -1) return query;
  const text = url.slice(start + 1);
  refuseMalformed(text);
  for (const [name, value] of new URLSearchParams(text)) {
    if (Object.hasOwn(query, name)) throw refused(name, 'repeated', 'must be given once');
    if (!isWellFormed(name) || !isWellFormed(value))
      throw refused(name, 'invalid_characters', 'must not contain NUL characters');
    Object.defineProperty(query, name, { value, enumerable: true, writable: true, configurable: true });
  }
  return query;
}

/** URLSearchParams would read bad escapes as text and bad UTF-8 as replacement characters. */
function refuseMalformed(text: string): void {
  try {
    decodeURIComponent(text);
  } catch {
    throw invalidRequest('The query is not properly percent-encoded UTF-8.');
  }
}

function refused(name: string, code: string, message: string): AppError {
  return invalidInput('query', [{ pointer: pointerOf([name.toWellFormed().replaceAll('\0', '')]), code, message }]);
}
