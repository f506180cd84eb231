import { setTimeout as wait } from 'node:timers/promises';
import { backOffMs } from '@tollgate/kernel/back-off';
import { systemClock } from '@tollgate/kernel/clock';
import * as oauth from 'oauth4webapi';

export interface OauthClient {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scope: string | undefined;
}

/**
 * The message has no secret. kafkajs must not repeat it: it would begin to sign in a second time on the same connection,
 * which the broker refuses.
 */
class TokenError extends Error {
  override readonly name = 'KafkaTokenError';
  readonly retriable = false;
  /** See kafka-errors.ts. */
  readonly type: 'SASL_AUTHENTICATION_FAILED' | 'NO_TOKEN';

  constructor(message: string, isDenied: boolean) {
    super(message);
    this.type = isDenied ? 'SASL_AUTHENTICATION_FAILED' : 'NO_TOKEN';
  }
}

interface Token {
  readonly text: string;
  readonly usableUntilMs: number;
}

const answerWithinMs = 5_000;
/** A reader that got no token would end. So an outage of the authority has this long to pass. */
const retryForMs = 30_000;
const backOffBounds = { firstMs: 100, maxMs: 2_000 };
/** A token is renewed this long before its end, so that it is still good when the broker reads it. */
const renewEarlyMs = 60_000;
/** For an authority that does not say how long its tokens last. */
const assumedLifeMs = 300_000;

/**
 * Returns a function that answers a bearer token, by the client credentials grant. It keeps a token until shortly before
 * its end. Callers at the same time share one request.
 */
export function createOauthTokens(client: OauthClient): () => Promise<string> {
  let current: Promise<Token> | undefined;
  let usableUntilMs = 0;

  return async function readToken() {
    if (current === undefined || systemClock.monotonicMs() >= usableUntilMs) {
      usableUntilMs = Number.POSITIVE_INFINITY; // until the answer says more
      const asked = (current = insist(client));
      asked.then(
        (token) => (usableUntilMs = token.usableUntilMs),
        () => (current = undefined),
      );
    }
    return (await current).text;
  };
}

/** Asks again while the authority is away or busy. */
async function insist(client: OauthClient): Promise<Token> {
  const beganMs = systemClock.monotonicMs();
  for (let failures = 1; ; failures += 1) {
    try {
      return await requestToken(client);
    } catch (error) {
      const refusal = toTokenError(error);
      const isTimeUp = systemClock.monotonicMs() - beganMs > retryForMs;
      if (refusal.type !== 'NO_TOKEN' || isTimeUp) throw refusal;
    }
    await wait(backOffMs(failures, backOffBounds));
  }
}

async function requestToken({ tokenUrl, clientId, clientSecret, scope }: OauthClient): Promise<Token> {
  const authority = { issuer: new URL(tokenUrl).origin, token_endpoint: tokenUrl };
  const us = { client_id: clientId };
  const beganMs = systemClock.monotonicMs();
  const response = await oauth.clientCredentialsGrantRequest(
    authority,
    us,
    oauth.ClientSecretBasic(clientSecret),
    scope === undefined ? {} : { scope },
    { signal: AbortSignal.timeout(answerWithinMs), [oauth.allowInsecureRequests]: tokenUrl.startsWith('http://') },
  );
  const answer = await oauth.processClientCredentialsResponse(authority, us, response);
  const lifeMs = answer.expires_in === undefined ? assumedLifeMs : answer.expires_in * 1_000;
  return { text: answer.access_token, usableUntilMs: beganMs + Math.max(lifeMs / 2, lifeMs - renewEarlyMs) };
}

function toTokenError(error: unknown): TokenError {
  if (error instanceof oauth.ResponseBodyError) {
    const words = `The authority refuses a token for Kafka: ${error.error} (HTTP ${error.status})`;
    return new TokenError(words, error.status < 500 && error.status !== 429);
  }
  return new TokenError(`The authority gave no token for Kafka: ${reasonOf(error)}`, false);
}

function reasonOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return String(error);
  const { message, cause } = error as { readonly message?: unknown; readonly cause?: { readonly message?: unknown } };
  return [message, cause?.message].filter((text) => typeof text === 'string').join(': ');
}
