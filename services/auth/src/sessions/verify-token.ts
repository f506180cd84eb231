import { AppError } from '@tollgate/kernel/app-error';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import { keyIdOf } from '@tollgate/runtime/auth/key-id-of';
import { invalidToken } from '@tollgate/runtime/auth/token-refusals';
import { Passport } from 'passport';
import { Strategy, type StrategyOptionsWithoutRequest } from 'passport-jwt';
import type { TokenTerms } from './access-token.ts';

const strategyName = 'access-token';

/** The payload of a verified token. Beyond issuer and audience its claims are not checked yet. */
export type VerifiedPayload = Readonly<Record<string, unknown>>;

/** Verifies the token of an `Authorization` header. Rejects with `unauthorized`, or with `unavailable`. */
export type VerifyToken = (authorization: string | undefined) => Promise<VerifiedPayload>;

interface Deps {
  readonly credentials: Pick<Credentials, 'signingKey'>;
  readonly terms: TokenTerms;
}

/**
 * Creates auth's only check of tokens. passport-jwt verifies signature, algorithm, issuer and audience. The rules that
 * no library knows (runtime's `keyIdOf` before it, `judgeClaims` after it) are the same for all services.
 */
export function createVerifyToken(deps: Deps): VerifyToken {
  const passport = new Passport(); // an own instance: the process shares the global one
  // Passport makes an object per request of a strategy that it knows by name. Concurrent requests would share a strategy
  // that it is handed as a value, and could get each other's answers.
  const strategy = new Strategy(strategyOptions(deps), (payload: VerifiedPayload, done) => done(null, payload));
  passport.use(strategyName, strategy);

  return function verifyToken(authorization) {
    return new Promise((resolve, reject) => {
      const settle = (error: unknown, payload: VerifiedPayload | false | undefined, challenge: unknown): void => {
        if (payload) resolve(payload);
        else reject(toAppError(error ?? challenge));
      };
      const run = passport.authenticate(strategyName, { session: false }, settle) as Middleware; // its type is any
      run({ headers: { authorization } }, {}, reject);
    });
  };
}

interface RequestHead {
  readonly headers: { readonly authorization: string | undefined };
}

type Middleware = (request: RequestHead, response: object, next: (error?: unknown) => void) => void;

function strategyOptions({ credentials, terms }: Deps): StrategyOptionsWithoutRequest {
  return {
    jwtFromRequest: ({ headers }: RequestHead) => bearerOf(headers.authorization),
    secretOrKeyProvider: (_request, token: string, done) => {
      findKey(credentials, token).then((key) => done(null, key), done);
    },
    algorithms: ['ES256'],
    issuer: terms.issuer,
    audience: terms.audience,
    // passport-jwt would compare times with the machine's clock, and ours may be moved. judgeClaims compares them.
    ignoreExpiration: true,
    jsonWebTokenOptions: { ignoreNotBefore: true },
  };
}

async function findKey(credentials: Deps['credentials'], token: string): Promise<string> {
  const key = await credentials.signingKey(keyIdOf(token));
  if (key === undefined) throw invalidToken('unknown signing key');
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** passport-jwt hands on our own errors as they are, and jsonwebtoken's for a token that it refuses. */
function toAppError(reason: unknown): AppError {
  return reason instanceof AppError ? reason : invalidToken('refused by passport-jwt', reason);
}
