import { componentSchemas } from './components.ts';
import { toOperation } from './operation.ts';
import { webhooksOf } from './webhooks.ts';
import { securitySchemes } from './security.ts';
import type { Route } from '../routes/route.ts';
import { routes } from '../routes/routes.ts';
import { tags } from '../routes/tags.ts';

export interface OpenApiOptions {
  readonly version: string;
  /** The base URL of the service. Default: the address from which the document was fetched. */
  readonly serverUrl?: string;
}

/** The OpenAPI 3.1 document, generated from the same routes and schemas that answer requests. */
export function createOpenApiDocument({ version, serverUrl = '/' }: OpenApiOptions): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate',
      version,
      summary: 'Meters calls of tools, exactly once.',
      description: describeService(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    tags,
    paths: pathsOf(),
    webhooks: webhooksOf(),
    components: { schemas: componentSchemas(), securitySchemes },
  };
}

/** Paths stand in the order of their tags: a reader who tries one after the other has what the next one needs. */
function pathsOf(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes.toSorted((left, right) => placeOf(left) - placeOf(right))) {
    const path = (paths[route.path] ??= {});
    path[route.method.toLowerCase()] = toOperation(route);
  }
  return paths;
}

function placeOf({ tag }: Route): number {
  return tags.findIndex(({ name }) => name === tag);
}

/** The conventions of every route, in Markdown. */
function describeService(): string {
  return [
    'Every call of a tool is recorded as an event; events drive metering, analytics and billing. An account signs in; it is a *consumer* where it calls and a *builder* where it owns the tool.',
    '**Errors** are `application/problem+json` (RFC 9457), the same everywhere. Program against `code`; `type` is the same as a URN. An account gets 404, never 403, for objects that it may not see. Any path may also answer 404 `not_found` and 405 `method_not_allowed` (with `Allow`).',
    '**Bodies** are JSON in UTF-8. An unknown field or query parameter is 400 `invalid_request`, with the name that was probably meant. Only events and `/v1/auth` ignore unknown fields, and name them in `X-Ignored-Fields`. `null` for an optional field means that it is absent. NUL characters are refused.',
    '**Times** in answers are UTC with milliseconds and `Z`. In requests they are RFC 3339 with `Z` or an offset; fraction digits after the third are dropped.',
    '**Lists** are newest first, in pages: pass `next_cursor` as `cursor` for the next page.',
    '**Money**: `*_usd` numbers are computed from integers; unit prices are decimal strings.',
    '**Examples** of bodies work as they stand on a new service, tried in the order of this document. Replace ids and codes that only another answer, a person or the end of a month gives.',
  ].join('\n\n');
}
