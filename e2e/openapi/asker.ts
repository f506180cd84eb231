import type { HttpClient } from '@tollgate/testkit/http-client';

/** Requests that must succeed, with one credential. */
export function asker(client: HttpClient, token: string) {
  return async function ask<Body>(method: string, path: string, body?: object): Promise<Body> {
    const answer = await client<Body>(method, path, { token, ...(body && { body }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
}
