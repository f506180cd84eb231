import { takesKeyHeader } from '@tollgate/contracts/routes/route';
import { publicDocument, publicRoutes } from './sdk-types.ts';

const header = '# Written by `pnpm sdk-types` from the contracts; a test compares.\n';

/** The parts of JSON Schema that our document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

/** Method, path, and whether it needs a key and takes the header `Idempotency-Key`, for `_operations.py`. */
export function pythonOperations(): string {
  const lines = publicRoutes.map((route) => {
    const { operationId, method, path, access } = route;
    const isKeyed = takesKeyHeader(route);
    const fields = [quote(method), quote(path), python(access !== 'public'), python(isKeyed)];
    return `    ${quote(operationId)}: (${fields.join(', ')}),\n`;
  });
  return [
    header,
    'from __future__ import annotations\n\n',
    '#: Method, path, whether it needs a credential, whether it takes an idempotency key.\n',
    `OPERATIONS: dict[str, tuple[str, str, bool, bool]] = {\n${lines.join('')}}\n`,
  ].join('');
}

/** The bodies of the API as TypedDicts, for `types.py`. */
export function pythonTypes(): string {
  const { schemas } = publicDocument().components;
  const written = Object.entries(schemas).map(([name, schema]) => definition(name, schema as Schema));
  return [
    header,
    '"""The bodies of the API, by their names in the OpenAPI document."""\n\n',
    'from __future__ import annotations\n\n',
    'import sys\nfrom typing import TYPE_CHECKING, Any, Literal, TypedDict, Union\n\n',
    'if sys.version_info >= (3, 11):\n    from typing import NotRequired\n',
    'elif TYPE_CHECKING:  # type checkers bring it; nothing needs it at run time\n    from typing_extensions import NotRequired\n\n',
    written.join('\n'),
  ].join('');
}

function definition(name: string, schema: Schema): string {
  if (schema.properties === undefined) return `\n${name} = ${typeOf(schema)}\n`;
  const fields = Object.entries(schema.properties).map(([field, type]) => {
    const isRequired = schema.required?.includes(field) === true;
    return `    ${quote(field)}: ${quote(isRequired ? typeOf(type) : `NotRequired[${typeOf(type)}]`)},\n`;
  });
  return `\n${name} = TypedDict(\n    ${quote(name)},\n    {\n${fields.map((line) => `    ${line}`).join('')}    },\n)\n`;
}

/** A type as Python has it. References are to later definitions too, so names stand in quoted annotations. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.slice('#/components/schemas/'.length);
  if (schema.const !== undefined) return `Literal[${python(schema.const)}]`;
  if (schema.enum !== undefined) return `Literal[${schema.enum.map(python).join(', ')}]`;
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return union(options.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type: string) => typeOf({ ...schema, type })));
  if (schema.type === 'object' && schema.properties !== undefined) return 'dict[str, Any]';
  return simpleTypeOf(schema);
}

function simpleTypeOf(schema: Schema): string {
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'array':
      return `list[${typeOf(schema.items ?? {})}]`;
    case 'object':
      return `dict[str, ${typeof schema.additionalProperties === 'object' ? typeOf(schema.additionalProperties) : 'Any'}]`;
    default:
      return 'Any';
  }
}

function union(types: readonly string[]): string {
  const different = [...new Set(types)];
  return different.length === 1 ? different.join('') : `Union[${different.join(', ')}]`;
}

function python(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return value === null ? 'None' : JSON.stringify(value);
}

function quote(text: string): string {
  return JSON.stringify(text);
}
