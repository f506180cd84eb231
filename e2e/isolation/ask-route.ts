import type { Route } from '@tollgate/contracts/routes/route';
import type { HttpClient } from '@tollgate/testkit/http-client';
import type { Owner } from './owner.ts';
import { sampleOf } from './samples.ts';

/** Asks a route about what belongs to an owner. */
export function asker(client: HttpClient) {
  return async function ask(
    route: Route,
    owner: Owner,
    token?: string,
    { headers = {}, path }: { readonly headers?: Record<string, string>; readonly path?: string } = {},
  ) {
    const { path: sampled, body } = sampleOf(route);
    return client<unknown>(route.method, path ?? sampled(owner), {
      headers,
      ...(token === undefined ? {} : { token }),
      ...(body ? { body: body(owner) } : {}),
    });
  };
}
