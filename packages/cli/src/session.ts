import { Tollgate, TollgateError } from '@tollgate/sdk';
import { readStored, store, type Stored } from './stored-session.ts';

export interface Session {
  /** A client that is signed in: by TOLLGATE_API_KEY, or by `tollgate login` at this address. */
  client(): Tollgate;
  /** A client with what `tollgate login` has stored for this address, whatever the environment has. */
  storedClient(): Tollgate;
  /** Calls, and once more with a new access token if the stored one has expired. */
  run<Result>(call: (tollgate: Tollgate) => Promise<Result>): Promise<Result>;
  /** A client for what needs no credential. */
  stranger(): Tollgate;
  /** Keeps a new sign-in at this address, which is the default from now on. Those at others stay. */
  keep(accessToken: string): void;
  /** Forgets the sign-in at this address. */
  forget(): void;
}

export interface SessionOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The value of --url. */
  urlOf(): string | undefined;
}

/**
 * The caller's session: by an API key of the environment, else by what `tollgate login` has stored. A stored token goes
 * to the address that gave it and to no other: whoever names another address by --url or TOLLGATE_URL signs in there.
 */
export function createSession({ environment, urlOf }: SessionOptions): Session {
  const all = (): readonly Stored[] => readStored(environment);
  const named = (): string | undefined => urlOf() ?? (environment['TOLLGATE_URL'] || undefined);
  const address = (): string => new Tollgate({ url: named() ?? all()[0]?.url }).url;
  const storedHere = (): Stored | undefined => all().find(({ url }) => isSameAddress(url, address()));
  const others = (): Stored[] => all().filter(({ url }) => !isSameAddress(url, address()));
  const ownKey = environment['TOLLGATE_API_KEY'] || undefined;

  function storedClient(): Tollgate {
    const { access_token: apiKey } = storedHere() ?? {};
    if (apiKey !== undefined) return new Tollgate({ url: address(), apiKey });
    throw new TollgateError({ status: 0, code: 'no_api_key', detail: howToSignIn(address(), others()) });
  }

  function client(): Tollgate {
    return ownKey === undefined ? storedClient() : new Tollgate({ url: address(), apiKey: ownKey });
  }

  async function renew(tollgate: Tollgate): Promise<void> {
    const { access_token } = await tollgate.auth.refresh().catch(sayEnded);
    const here = storedHere();
    store(
      environment,
      all().map((each) => (each.url === here?.url ? { ...each, access_token } : each)),
    );
  }

  return {
    client,
    storedClient,
    async run(call) {
      const tollgate = client();
      try {
        return await call(tollgate);
      } catch (error) {
        const isExpired = error instanceof TollgateError && error.status === 401;
        if (!isExpired || ownKey !== undefined) throw error;
        await renew(tollgate);
        return call(client());
      }
    },
    stranger: () => new Tollgate({ url: address() }),
    keep: (token) => store(environment, [{ url: address(), access_token: token }, ...others()]),
    forget: () => store(environment, others()),
  };
}

/** The service's answer to the refresh is about a token that nobody has seen. */
function sayEnded(error: unknown): never {
  if (!(error instanceof TollgateError) || error.status !== 401) throw error;
  const detail = `Your sign-in has ended: run \`tollgate login\` again. (${error.detail})`;
  throw new TollgateError({ status: 0, code: 'no_api_key', detail });
}

function isSameAddress(one: string, other: string): boolean {
  const canonical = (url: string): string => new URL(url).href.replace(/\/+$/, '');
  return canonical(one) === canonical(other);
}

function howToSignIn(address: string, others: readonly Stored[]): string {
  const [elsewhere] = others;
  if (elsewhere === undefined) return 'You are not signed in: run `tollgate login`, or set TOLLGATE_API_KEY.';
  return `You are signed in at ${elsewhere.url}, not at ${address}: run \`tollgate login --url ${address}\`, or set TOLLGATE_API_KEY.`;
}
