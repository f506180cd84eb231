import { expect } from '@jest/globals';
import { createOpenApiDocument } from '@tollgate/contracts/openapi/openapi';

interface Documented {
  readonly paths: Record<string, { post: { responses: Record<string, { content: Record<string, Content> }> } }>;
}

interface Content {
  readonly examples: Record<string, { readonly value: object }>;
}

/** Returns the answer that OpenAPI shows for a path that refuses for this reason, without the id of the request. */
export function problemExample(name: string, path = '/v1/authorizations'): Record<string, unknown> {
  const document = createOpenApiDocument({ version: '0.0.0' }) as Documented; // it has this route
  const content = document.paths[path]?.post.responses['402']?.content ?? {};
  const value = content['application/problem+json']?.examples[name]?.value;
  if (value === undefined) throw new Error(`there is no example ${name}`);
  return { ...value, request_id: expect.any(String) };
}
