import { componentSchemas } from './components.ts';
import { describeService } from './service-description.ts';
import { toOperation } from './operation.ts';
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
