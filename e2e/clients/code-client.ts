import { createHash, randomBytes } from 'node:crypto';

/** Nobody listens there: a test reads the code from the redirect. */
export const redirectUri = 'http://127.0.0.1:4711/callback';

export interface CodeTokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

interface TokenAnswer {
  readonly status: number;
  readonly body: CodeTokens;
}

/** A client of OAuth by the code flow with PKCE. Each request may go to another address of the same issuer. */
export interface CodeClient {
  readonly clientId: string;
  /** Leads a person's browser to the sign-in and the consent. */
  readonly authorizeUrl: string;
  redeem(code: string, url?: string): Promise<TokenAnswer>;
  refresh(refreshToken: string, url?: string): Promise<TokenAnswer>;
}

/** Registers a client that asks for tokens of this resource. */
export async function registerCodeClient(issuer: string, name: string, resource: string): Promise<CodeClient> {
  const registered = await fetch(`${issuer}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = (await registered.json()) as { client_id: string };
  const verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    resource,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });

  async function token(url: string, form: Readonly<Record<string, string>>): Promise<TokenAnswer> {
    const body = new URLSearchParams({ client_id: clientId, ...form });
    const answer = await fetch(`${url}/oauth/token`, { method: 'POST', body });
    return { status: answer.status, body: (await answer.json()) as CodeTokens };
  }
  return {
    clientId,
    authorizeUrl: `${issuer}/oauth/authorize?${asked.toString()}`,
    redeem: (code, url = issuer) =>
      token(url, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }),
    refresh: (refreshToken, url = issuer) => token(url, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}
