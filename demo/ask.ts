import type { HttpAnswer, HttpClient, HttpRequest } from '@tollgate/testkit/http-client';
import { DemoError } from './demo-error.ts';

export interface Ask {
  /** What `Body` is, the contracts say. */
  <Body>(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer<Body>>;
}

/** Takes success for an answer; with any other the demo ends, in the service's own words. */
export function createAsk(send: HttpClient): Ask {
  return async function ask<Body>(method: string, path: string, request?: HttpRequest): Promise<HttpAnswer<Body>> {
    const answer = await send<Body>(method, path, request);
    if (answer.status >= 400) throw new DemoError(`${method} ${path} was answered ${answer.status}: ${answer.text}`);
    return answer;
  };
}
