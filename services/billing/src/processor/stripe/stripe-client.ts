import Stripe from 'stripe';

export interface StripeClientOptions {
  readonly secretKey: string;
  /** Scheme, host and port. A path is ignored. */
  readonly apiUrl: string;
  readonly timeoutMs: number;
}

/**
 * Stripe answers in this version, whatever the account's default is. Change it by hand together with the library's
 * types.
 */
const apiVersion = '2026-08-26.dahlia';

/**
 * Creates a client of the official library without its own retries. `call-stripe.ts` retries, with pace, bounds and
 * typed errors.
 */
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

/**
 * An HTTP client that never repeats a call. The library repeats a call once if its connection closed, even with retries
 * off. It recognises that by the error's code, which is hidden here.
 */
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
