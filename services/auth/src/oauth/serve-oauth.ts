import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { clientAddressOf, routeOf } from '@tollgate/runtime/http/requests/request-context';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { presentRequest } from './present-request.ts';
import type { ProviderHost } from './provider-host.ts';

/** The operations that the library answers. The pages and the keys are ours. */
const ofLibrary = new Set([
  'getOAuthMetadata',
  'getOpenIdMetadata',
  'registerOAuthClient',
  'authorizeOAuthClient',
  'resumeOAuthAuthorization',
  'getOAuthToken',
  'revokeOAuthToken',
  'introspectOAuthToken',
]);

interface Deps {
  /** Undefined: there is no PUBLIC_URL, so nobody could compare it with the `iss` of a token. */
  readonly host: ProviderHost | undefined;
  readonly issuer: string;
  readonly registers: boolean;
  readonly throttle: Pick<SignInThrottle, 'admitClient'>;
}

export interface ServeOAuth {
  /** Whether the library answers this request, and not a controller. */
  answers(request: IncomingMessage): boolean;
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export function createServeOAuth({ host, issuer, registers, throttle }: Deps): ServeOAuth {
  return {
    answers: (request) => ofLibrary.has(routeOf(request).operationId),
    async handle(request, response) {
      if (host === undefined) throw oauthIsOff();
      if (routeOf(request).operationId === 'registerOAuthClient') {
        if (!registers)
          throw new AppError('not_found', 'Clients do not register here. Use a client ID metadata document.');
        await throttle.admitClient(clientAddressOf(request));
      }
      presentRequest(request, issuer);
      await host.serve(request, response);
    },
  };
}

export function oauthIsOff(): AppError {
  return new AppError('not_found', 'There is no OAuth here: the operator has not set PUBLIC_URL.');
}
