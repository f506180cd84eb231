import openapiTypescript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';
import { routes } from '@tollgate/contracts/routes/routes';
import { takesKeyHeader, type Route } from '@tollgate/contracts/routes/route';

const header = '// Written by `pnpm sdk-types` from the contracts; a test compares.\n';

interface Operation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string }[];
  readonly responses: Record<string, { headers?: object }>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  webhooks?: object;
  readonly components: { readonly schemas: Record<string, object> };
}

/** The routes that callers of the API use: no operator's route, no page for browsers, no processor's webhook. */
export const publicRoutes: readonly Route[] = routes.filter(
  ({ access, isInternal, responses, path, processor }) =>
    access !== 'operator' &&
    isInternal !== true &&
    processor === undefined &&
    !path.startsWith('/docs') &&
    Object.keys(responses).some((status) => status.startsWith('2')),
);

/** The routes of the operator, which the console calls beside the public ones. */
const operatorRoutes: readonly Route[] = routes.filter(
  ({ access, processor }) => access === 'operator' && processor !== 'stripe',
);

/** The types of bodies, queries and answers, for `src/generated/openapi.ts`. */
export function sdkTypes(): Promise<string> {
  return typesOf(publicDocument());
}

/** The same of the operator's routes, for `packages/console/src/generated/operator-openapi.ts`. */
export function operatorTypes(): Promise<string> {
  return typesOf(documentOf(operatorRoutes));
}

async function typesOf(document: Document): Promise<string> {
  // Our document is built as plain objects; the library's type of it is narrower than OpenAPI 3.1.
  const ast = await openapiTypescript(document as unknown as OpenAPI3, { alphabetize: true });
  return `${header}\n${astToString(ast)}`;
}

/** Method, path and header per operation, for `src/generated/operations.ts`. */
export function sdkOperations(): string {
  return tableOf('operations', publicRoutes);
}

/** The same of the operator's routes, for `packages/console/src/generated/operator-operations.ts`. */
export function operatorOperations(): string {
  return tableOf('operatorOperations', operatorRoutes);
}

function tableOf(name: string, of: readonly Route[]): string {
  const lines = of.map((route) => {
    const { operationId, method, path, access } = route;
    const isKeyed = takesKeyHeader(route);
    const fields = [
      `method: '${method}'`,
      `path: '${path}'`,
      `needsToken: ${access !== 'public'}`,
      ...(isKeyed ? ['isKeyed: true'] : []),
    ];
    return `  ${operationId}: { ${fields.join(', ')} },\n`;
  });
  return `${header}\nexport const ${name} = {\n${lines.join('')}} as const;\n`;
}

export function publicDocument(): Document {
  return documentOf(publicRoutes);
}

/** Errors have one type for all routes, and no method hands out headers: without both the file is a tenth of its size. */
function documentOf(routesOfIt: readonly Route[]): Document {
  const document = structuredClone(createOpenApiDocument({ version: '0' })) as Document; // its shape, see openapi.ts
  const wanted = new Set(routesOfIt.map(({ operationId }) => operationId));
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (wanted.has(operation.operationId)) keepSuccesses(operation);
      else delete methods[method];
    }
    if (Object.keys(methods).length === 0) delete document.paths[path];
  }
  keepNamedSchemas(document);
  delete document.webhooks; // no method sends them; the schemas of what they say stay
  return document;
}

/** Drops the schemas that only other routes name. */
function keepNamedSchemas({ paths, webhooks, components: { schemas } }: Document): void {
  const named = new Set(['Problem', 'Event']);
  const waiting: unknown[] = [paths, webhooks, schemas['Problem'], schemas['Event']];
  for (const value of waiting) {
    for (const [, name = ''] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)"/g)) {
      if (!named.has(name)) waiting.push(schemas[name]);
      named.add(name);
    }
  }
  for (const name of Object.keys(schemas)) if (!named.has(name)) delete schemas[name];
}

function keepSuccesses({ responses }: Operation): void {
  for (const [status, answer] of Object.entries(responses)) {
    if (status.startsWith('2')) delete answer.headers;
    else delete responses[status];
  }
}
