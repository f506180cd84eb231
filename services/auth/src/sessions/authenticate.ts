import { AppError } from '@tollgate/kernel/app-error';
import { looksLikeApiKey } from '@tollgate/runtime/auth/api-key-format';
import type { Credentials } from '@tollgate/runtime/auth/credentials';
import type { Principal } from '@tollgate/runtime/auth/principal';
import { invalidToken } from '@tollgate/runtime/auth/verify-access-token';
import type { Request, Response } from 'express';
import { decodeProtectedHeader } from 'jose';
import { Passport } from 'passport';
import { ExtractJwt, Strategy, type StrategyOptionsWithRequest, type VerifyCallbackWithRequest } from 'passport-jwt';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import type { TokenTerms } from './access-token.ts';

const strategyName = 'access-token';

export type Authenticate = (request: Request, response: Response) => Promise<Principal>;

interface Deps {
  readonly credentials: Credentials;
  readonly keyRing: KeyRing;
  readonly terms: TokenTerms;
}

/**
 * passport-jwt at the door: it takes the token from the header and checks signature, algorithm, issuer and audience.
 * What else makes a token valid (type, time by our own clock, a living session) is said once, for all services, by
 * runtime's credentials; so the strategy asks them, and API keys go to them directly.
 */
export function createAuthenticate(deps: Deps): Authenticate {
  const { credentials } = deps;
  const bearerOf = ExtractJwt.fromAuthHeaderAsBearerToken();
  const passport = new Passport(); // of our own: the global one is shared by all that runs in the process
  // By name: passport then makes an object of each request. Handed over as it is, concurrent requests would share one,
  // and the answer to one would go to another.
  passport.use(strategyName, new Strategy(strategyOptions(deps), createVerify(credentials)));

  return async function authenticate(request, response) {
    const token = bearerOf(request);
    if (token === null || looksLikeApiKey(token)) return credentials.authenticate(request.headers.authorization);
    return new Promise<Principal>((resolve, reject) => {
      const settle = (error: unknown, principal: Principal | false | null, challenge: unknown): void => {
        if (error) reject(toError(error));
        else if (principal) resolve(principal);
        else reject(toError(challenge));
      };
      const run = passport.authenticate(strategyName, { session: false }, settle) as RequestStep; // typed any: this is what passport makes
      run(request, response, reject);
    });
  };
}

type RequestStep = (request: Request, response: Response, next: (error?: unknown) => void) => void;

function strategyOptions({ keyRing, terms }: Deps): StrategyOptionsWithRequest {
  return {
    jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
    secretOrKeyProvider: (_request: Request, token: string, done: KeyReady) => {
      findKey(keyRing, token).then((key) => done(null, key), done);
    },
    algorithms: ['ES256'],
    issuer: terms.issuer,
    audience: terms.audience,
    // jsonwebtoken would compare with the machine's clock; ours may be moved.
    ignoreExpiration: true,
    jsonWebTokenOptions: { ignoreNotBefore: true },
    passReqToCallback: true,
  };
}

type KeyReady = (error: unknown, key?: string) => void;

async function findKey(keyRing: KeyRing, token: string): Promise<string> {
  const key = await keyRing.verifier(keyIdOf(token));
  if (key === undefined) throw invalidToken('unknown signing key');
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

function keyIdOf(token: string): string {
  try {
    const { kid } = decodeProtectedHeader(token);
    if (typeof kid === 'string') return kid;
  } catch (error) {
    throw invalidToken('not a compact JWS', error);
  }
  throw invalidToken('no key id');
}

function createVerify(credentials: Credentials): VerifyCallbackWithRequest {
  return function verify(request: Request, _payload: unknown, done) {
    const judge = async (): Promise<Principal> => credentials.authenticate(request.headers.authorization);
    judge().then(
      (principal) => done(null, principal),
      (error: unknown) => done(error, false),
    );
  };
}

/** Passport hands over what its parts failed with: ours as it is, jsonwebtoken's as "not valid". */
function toError(reason: unknown): AppError {
  return reason instanceof AppError ? reason : invalidToken('refused by passport-jwt', reason);
}
