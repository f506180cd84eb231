import { Tollgate, type Schemas } from '@tollgate/sdk';
import type { Market } from './market.ts';

export interface SlowGate {
  /** The builder of the market. Its client gets the answer to an authorization when the test lets it. */
  readonly tollgate: Tollgate;
  /** Resolves with the first authorization, whose money is held. */
  asked(): Promise<Schemas['Authorization']>;
  /** Hands out the answer, and every later one at once. */
  letThrough(): void;
}

/** A gate whose answers are late, so that a test can do something while a call asks. */
export async function openSlowGate({ builder }: Market): Promise<SlowGate> {
  const { key: apiKey = '' } = await builder.apiKeys.create({ name: 'slow gate' });
  const asked = Promise.withResolvers<Schemas['Authorization']>();
  const opened = Promise.withResolvers<undefined>();
  const slowFetch: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    const url = input instanceof Request ? input.url : input.toString();
    if (init?.method !== 'POST' || !url.endsWith('/v1/authorizations')) return answer;
    asked.resolve((await answer.clone().json()) as Schemas['Authorization']);
    await opened.promise;
    return answer;
  };
  return {
    tollgate: new Tollgate({ apiKey, url: builder.url, fetch: slowFetch }),
    asked: () => asked.promise,
    letThrough: () => opened.resolve(undefined),
  };
}
