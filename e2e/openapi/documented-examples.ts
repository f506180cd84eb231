import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';

/** An operation of the document, as somebody reads it who tries it out. */
export interface DocumentedOperation {
  readonly id: string;
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** The examples of the query parameters that it needs. */
  readonly query: Readonly<Record<string, string>>;
  /** The names of the security schemes of which one is needed; empty: none. */
  readonly schemes: readonly string[];
  /** The example of its body; undefined where it takes none. */
  readonly example?: object;
  /** The statuses of its successful answers. */
  readonly successes: readonly number[];
}

interface OperationObject {
  readonly operationId: string;
  readonly 'x-internal'?: true;
  readonly parameters: readonly Parameter[];
  readonly security: readonly Record<string, unknown>[];
  readonly requestBody?: { readonly content: Record<string, { readonly example?: object }> };
  readonly responses: Record<string, object>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: { readonly examples?: readonly string[] };
}

/** The operations with a body, and those that read without naming an id, in the order of the document. */
export function readDocumentedExamples(): DocumentedOperation[] {
  const { paths } = createOpenApiDocument({ version: '0.0.0' }) as {
    paths: Record<string, Record<string, OperationObject>>;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { requestBody }]) => requestBody ?? (method === 'get' && !path.includes('{')))
      .filter(([, operation]) => !operation['x-internal'])
      .map(([method, operation]) => toDocumented(path, method.toUpperCase(), operation)),
  );
}

function toDocumented(path: string, method: string, operation: OperationObject): DocumentedOperation {
  const example = Object.values(operation.requestBody?.content ?? {})[0]?.example;
  return {
    id: operation.operationId,
    method,
    path,
    query: Object.fromEntries(
      operation.parameters
        .filter((parameter) => parameter.in === 'query' && parameter.required)
        .map(({ name, schema }) => [name, schema.examples?.[0] ?? `no example of ${name}`]),
    ),
    schemes: operation.security.flatMap(Object.keys),
    ...(example && { example }),
    successes: Object.keys(operation.responses)
      .map(Number)
      .filter((status) => status < 300),
  };
}
