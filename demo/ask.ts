import type { HttpAnswer, HttpClient, HttpRequest } from '@tollgate/testkit/http-client';
import { DemoError } from './demo-error.ts';

export interface Ask {
  /** `Body` is a type of the contracts. */
  <Body>(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer<Body>>;
}

/** Returns successful answers. Any other answer ends the demo with the service's own words. */
export function createAsk(send: HttpClient): Ask {
  return async function ask<Body>(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer<Body>> {
    const answer = await send<Body>(method, path, request).catch((error: unknown) => {
      throw new DemoError(`${method} ${path} was not answered: ${String(error)}`, { cause: error });
    });
    if (answer.status >= 400) throw new DemoError(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    return answer;
  };
}
