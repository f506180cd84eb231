import { Tollgate, TollgateError } from '@tollgate/sdk';
import { readStored, removeStored, store, type Stored } from './stored-session.ts';

export interface Session {
  /** A client that is signed in: by TOLLGATE_API_KEY, or by `tollgate login`. */
  client(): Tollgate;
  /** Calls, and once more with a new access token if the stored one has expired. */
  run<Result>(call: (tollgate: Tollgate) => Promise<Result>): Promise<Result>;
  /** A client without a credential. */
  stranger(): Tollgate;
  keep(accessToken: string): void;
  forget(): boolean;
}

export interface SessionOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The value of --url. */
  urlOf(): string | undefined;
}

/** Who the caller is: an API key of the environment, else the stored session. */
export function createSession({ environment, urlOf }: SessionOptions): Session {
  const stored = (): Stored | undefined => readStored(environment);
  const url = (): string | undefined => urlOf() ?? environment['TOLLGATE_URL'] ?? stored()?.url;

  function client(): Tollgate {
    const apiKey = environment['TOLLGATE_API_KEY'] ?? stored()?.access_token;
    if (apiKey !== undefined) return new Tollgate({ url: url(), apiKey });
    const detail = 'You are not signed in: run `tollgate login`, or set TOLLGATE_API_KEY.';
    throw new TollgateError({ status: 0, code: 'no_api_key', detail });
  }

  function keep(accessToken: string): void {
    store(environment, { url: new Tollgate({ url: url() }).url, access_token: accessToken });
  }

  return {
    client,
    async run(call) {
      const tollgate = client();
      try {
        return await call(tollgate);
      } catch (error) {
        const isExpired = error instanceof TollgateError && error.status === 401;
        if (!isExpired || environment['TOLLGATE_API_KEY'] !== undefined) throw error;
        keep((await tollgate.auth.refresh()).access_token);
        return call(client());
      }
    },
    stranger: () => new Tollgate({ url: url() }),
    keep,
    forget: () => removeStored(environment),
  };
}
