import type { Tollgate } from '@tollgate/sdk';

import { nowMs } from './clock.ts';
import { createFindMissingScope } from './missing-scope.ts';
import { spendScope } from './scopes.ts';
import type { PassAuthInfo } from './token-verifier.ts';

export interface ProtectedResourceOptions {
  /** The client of the builder's account. */
  readonly tollgate: Tollgate;
  /** The URL of the server, as clients know it and as its tools at Tollgate name it. */
  readonly resource: string | URL;
  /** The address of Tollgate's metadata is asked by it. Default: that of the platform. */
  readonly fetch?: typeof fetch | undefined;
}

/** Says where the tokens of a server come from (RFC 9728), so that a client can sign its person in at Tollgate. */
export interface ProtectedResource {
  readonly resource: string;
  /** The path of the document, for a router. */
  readonly path: string;
  /** The address of the document, for the `resourceMetadataUrl` of the MCP SDK's `requireBearerAuth`. */
  readonly metadataUrl: string;
  /** The document. Rejects while Tollgate cannot be asked; it is asked until it has answered once. */
  metadata(): Promise<ProtectedResourceMetadata>;
  /** The answer to a request for the document; undefined for every other request. */
  respond(request: Request): Promise<Response | undefined>;
  /**
   * The value of `WWW-Authenticate`: beside 401 for no token, or for one that is not good; beside 403 with the scopes that a token
   * should have.
   */
  challenge(error?: 'invalid_token' | 'insufficient_scope', scope?: string): string;
  /**
   * The value of `WWW-Authenticate` beside 403, for a call of a tool that the pass of a token lacks: it names all scopes that the
   * token should have. Undefined: serve the call. Its pass has the tool, or it gets the sentence of the refused call, as the
   * second one within a minute does: some clients only refresh their token, and never ask their person.
   */
  stepUp(authInfo: PassAuthInfo, tool: string): string | undefined;
}

export interface ProtectedResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly string[];
  /** Proves to Tollgate that the server is the builder's. */
  readonly tollgate_account: string;
}

export function protectedResource(options: ProtectedResourceOptions): ProtectedResource {
  const { origin, pathname, search } = new URL(options.resource);
  const isBare = pathname === '/';
  const path = `/.well-known/oauth-protected-resource${isBare ? '' : pathname}`;
  const resource = isBare && search === '' ? origin : `${origin}${pathname}${search}`;
  const metadataUrl = `${origin}${path}${search}`;
  const findMissingScope = createFindMissingScope(nowMs);
  let known: Promise<ProtectedResourceMetadata> | undefined;

  function challenge(error?: 'invalid_token' | 'insufficient_scope', scope = spendScope): string {
    const reason = error === undefined ? '' : `error="${error}", `;
    return `Bearer ${reason}resource_metadata="${metadataUrl}", scope="${scope}"`;
  }

  async function read(): Promise<ProtectedResourceMetadata> {
    const { tollgate, fetch: ask = fetch } = options;
    const [issuer, account] = await Promise.all([readIssuer(ask, tollgate.url), tollgate.auth.account()]);
    return {
      resource,
      authorization_servers: [issuer],
      scopes_supported: [spendScope],
      bearer_methods_supported: ['header'],
      tollgate_account: account.account_id,
    };
  }

  function metadata(): Promise<ProtectedResourceMetadata> {
    known ??= read();
    known.catch(() => (known = undefined)); // the next request asks again
    return known;
  }

  return {
    resource,
    path,
    metadataUrl,
    metadata,
    async respond(request) {
      if (new URL(request.url).pathname !== path) return undefined;
      return Response.json(await metadata(), { headers: documentHeaders });
    },
    challenge,
    stepUp({ scopes, extra }, tool) {
      const tools = scopes.includes('*') ? '*' : scopes.filter((scope) => scope !== spendScope);
      const pass = { passId: extra.passId, tools, isKey: extra.clientId === undefined } as const;
      const scope = findMissingScope(pass, tool);
      return scope === undefined ? undefined : challenge('insufficient_scope', scope);
    },
  };
}

/** Pages of any origin may read what every client may know. */
export const documentHeaders = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' };

/** As Tollgate's own metadata (RFC 8414) has it: its people may know it by another address than this server does. */
async function readIssuer(ask: typeof fetch, url: string): Promise<string> {
  const answer = await ask(new URL('/.well-known/oauth-authorization-server', url));
  const document: unknown = answer.ok ? await answer.json() : undefined;
  const issuer =
    typeof document === 'object' && document !== null && 'issuer' in document ? document.issuer : undefined;
  if (typeof issuer === 'string') return issuer;
  throw new Error(`${url} does not issue OAuth tokens (${answer.status}): its operator sets PUBLIC_URL.`);
}
