import Stripe from 'stripe';

export interface StripeClientOptions {
  readonly secretKey: string;
  /** Scheme, host and port; whatever else stands in it is not used. */
  readonly apiUrl: string;
  readonly timeoutMs: number;
}

/** Stripe's answers are of this version whatever the account's own is; it moves with the library's types, by hand. */
const apiVersion = '2026-08-26.dahlia';

/** The official library, without retries of its own: ours are paced, bounded and told of (`call-stripe.ts`). */
export function createStripeClient({ secretKey, apiUrl, timeoutMs }: StripeClientOptions): Stripe {
  const { protocol, hostname, port } = new URL(apiUrl);
  const isPlain = protocol === 'http:';
  return new Stripe(secretKey, {
    apiVersion,
    protocol: isPlain ? 'http' : 'https',
    host: hostname,
    port: port === '' ? (isPlain ? 80 : 443) : Number(port),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    httpClient: createOneTryHttpClient(),
    telemetry: false,
  });
}

/** The library repeats a call whose connection was closed, once, even when told not to: it knows it by the error's code. */
function createOneTryHttpClient(): NonNullable<Stripe.StripeConfig['httpClient']> {
  const inner = Stripe.createNodeHttpClient();
  return {
    getClientName: () => inner.getClientName(),
    makeRequest: (...request) =>
      inner.makeRequest(...request).catch((error: unknown) => {
        if (isTimeout(error)) throw error;
        throw new Error('the connection failed', { cause: error });
      }),
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === Stripe.HttpClient.TIMEOUT_ERROR_CODE;
}
