import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@tollgate/kernel/app-error';
import { isLoopback } from '../config/trial-only.ts';
import { sessionAgeMaxMs } from '@tollgate/kernel/session-life';

type Headers = Pick<IncomingMessage, 'headers'>;

/** The cookie of a browser's session, and the pages that it counts from. */
export interface SessionCookie {
  /** Undefined without the cookie, and for two of them: a neighbour on the machine may have put one beside ours. */
  read(request: Headers): string | undefined;
  /** Throws `forbidden` unless a page of our own sent the request. */
  requireOwnPage(request: Headers): void;
  set(response: ServerResponse, secret: string): void;
  clear(response: ServerResponse): void;
}

/**
 * With https the browser itself keeps foreign hosts, paths and plain http from setting `__Host-tollgate`. It refuses that name
 * without https, so a service on this machine alone has a plain one. Over plain http there is no other way.
 */
export function createSessionCookie(publicUrl: string | undefined): SessionCookie {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl);
  const isSecure = publicOrigin?.protocol === 'https:';
  const name = isSecure ? '__Host-tollgate' : 'tollgate';
  const rules = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;

  function ownOriginOf({ headers }: Headers): string | undefined {
    if (isSecure) return publicOrigin.origin;
    const asked = URL.parse(`http://${headers.host ?? ''}`);
    return asked && isLoopback(asked.hostname.replace(/^\[(.*)\]$/, '$1')) ? asked.origin : undefined;
  }

  function put(response: ServerResponse, secret: string, seconds: number): void {
    response.appendHeader('set-cookie', `${name}=${secret}; Max-Age=${seconds}; ${rules}`);
  }

  return {
    read(request) {
      if (request.headers.cookie === undefined || ownOriginOf(request) === undefined) return undefined;
      const [value, ...others] = valuesOf(request.headers.cookie, name);
      return others.length === 0 ? value : undefined;
    },
    requireOwnPage(request) {
      const own = ownOriginOf(request);
      if (own === undefined) throw new AppError('forbidden', needsHttps);
      const { origin, 'sec-fetch-site': site = 'same-origin' } = request.headers;
      if (origin !== own || site !== 'same-origin')
        throw new AppError('forbidden', `Only a page of ${own} may do this.`);
    },
    set: (response, secret) => put(response, secret, sessionAgeMaxMs / 1_000),
    clear: (response) => put(response, '', 0),
  };
}

const needsHttps =
  'A browser signs in over https, at the address that the operator has set as PUBLIC_URL, or on the machine itself. Use an access token here.';

function valuesOf(header: string, name: string): string[] {
  return header.split(';').flatMap((pair) => {
    const [key = '', ...value] = pair.split('=');
    return key.trim() === name ? [value.join('=').trim()] : [];
  });
}
