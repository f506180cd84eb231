import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { createFormBrowser, type BrowserPage, type FormBrowser } from '@tollgate/testkit/form-browser';
import type { AuthUnderTest, SignedUp } from './auth-under-test.ts';

/** PUBLIC_URL of these tests: what pages and tokens name, wherever the test reaches the service. */
export const issuer = 'https://tollgate.example';
export const resource = 'https://mcp.example.com/mcp';
export const redirectUri = 'http://127.0.0.1:4711/callback';

export interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly error?: string;
  readonly authorization_details?: readonly object[];
}

/** The account that owns the tools of `putTool`. */
export const builderId = '01900000-0000-7000-8000-00000000b0b0';

/** A tool in the catalogue that names a resource, written as billing writes it. */
export async function putTool(
  { owner }: Pick<AuthUnderTest, 'owner'>,
  { toolId, of = resource, price = '0.002' }: { toolId: string; of?: string; price?: string },
): Promise<void> {
  const charge = {
    name: null,
    metric: { type: 'calls' },
    model: { type: 'per_unit', unit_price_usd: price },
    free_quantity: '0',
  };
  await owner.query('insert into billing.resource (resource, owner_id) values ($1, $2) on conflict do nothing', [
    of,
    builderId,
  ]);
  await owner.query(
    'insert into billing.tool (tool_id, owner_id, name, created_at, resource) values ($1, $2, $3, now(), $4)',
    [toolId, builderId, `The ${toolId}`, of],
  );
  await owner.query(
    "insert into billing.tool_price (price_id, tool_id, price, measures, created_at) values ($1, $2, $3, '{}', now())",
    [randomUUID(), toolId, JSON.stringify({ currency: 'usd', charges: [charge], bill_failed_calls: false })],
  );
}

export interface TokenResult {
  readonly status: number;
  readonly body: TokenAnswer;
}

export interface OAuthClient {
  readonly clientId: string;
  readonly browser: FormBrowser;
  readonly verifier: string;
  /** The address to which the client sends the browser. */
  authorizeUrl(change?: Readonly<Record<string, string | undefined>>): string;
  /** Signs in on the page, and stands on the consent. */
  signIn(person: SignedUp, change?: Readonly<Record<string, string | undefined>>): Promise<BrowserPage>;
  /** Consents, and returns what came back to the client. */
  consent(person: SignedUp, fields?: Readonly<Record<string, string | null>>): Promise<URLSearchParams>;
  token(form: Readonly<Record<string, string | undefined>>, baseUrl?: string): Promise<TokenResult>;
  /** Exchanges the code of a consent. */
  redeem(code: string | null | undefined): Promise<TokenResult>;
  revoke(token: string): Promise<Response>;
  introspect(token: string): Promise<unknown>;
  /** From nothing to tokens. */
  connect(person: SignedUp, fields?: Readonly<Record<string, string | null>>): Promise<TokenAnswer>;
  refresh(token: string, baseUrl?: string): Promise<TokenResult>;
}

type RegisteredClient = Readonly<Record<string, unknown>> & { readonly client_id: string };

export async function register(
  baseUrl: string,
  metadata: object = {},
): Promise<{ status: number; body: RegisteredClient }> {
  const answer = await fetch(`${baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Weather agent', redirect_uris: [redirectUri], ...metadata }),
  });
  return { status: answer.status, body: (await answer.json()) as RegisteredClient };
}

/** A client that has registered, with a browser of its person. */
/** `known`: its id, if it need not register. */
export async function createOAuthClient(
  auth: AuthUnderTest,
  { clientId: known, ...metadata }: { readonly clientId?: string } = {},
): Promise<OAuthClient> {
  const { baseUrl } = auth;
  const clientId = known ?? (await register(baseUrl, metadata)).body.client_id;
  const verifier = randomBytes(32).toString('base64url');
  const browser = createFormBrowser({ site: issuer, baseUrl });

  const authorizeUrl: OAuthClient['authorizeUrl'] = (change = {}) => {
    const parameters = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      state: 'the state',
      resource,
      ...change,
    };
    const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return `/oauth/authorize?${new URLSearchParams(given).toString()}`;
  };

  const signIn: OAuthClient['signIn'] = async ({ email, password }, change) => {
    const page = await browser.open(authorizeUrl(change));
    return browser.press(page, 'sign_in', { email, password });
  };

  const consent: OAuthClient['consent'] = async (person, fields) => {
    const done = await browser.press(await signIn(person), 'allow', fields);
    if (done.leavesTo === undefined) throw new Error(`no redirect: ${done.status} ${done.text}`);
    return done.leavesTo.searchParams;
  };

  const post = (path: string, form: Readonly<Record<string, string | undefined>>, at = baseUrl) => {
    const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(`${at}${path}`, { method: 'POST', body: new URLSearchParams(given) });
  };

  const token: OAuthClient['token'] = async (form, at) => {
    const answer = await post('/oauth/token', { client_id: clientId, resource, ...form }, at);
    return { status: answer.status, body: (await answer.json()) as TokenAnswer };
  };

  const redeem: OAuthClient['redeem'] = (code) =>
    token({
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
    });

  return {
    clientId,
    browser,
    verifier,
    authorizeUrl,
    signIn,
    consent,
    token,
    redeem,
    revoke: (revoked) => post('/oauth/revoke', { client_id: clientId, token: revoked }),
    introspect: async (asked) => (await post('/oauth/introspect', { client_id: clientId, token: asked })).json(),
    async connect(person, fields) {
      const { status, body } = await redeem((await consent(person, fields)).get('code'));
      if (status !== 200) throw new Error(`no token: ${JSON.stringify(body)}`);
      return body;
    },
    refresh: (refreshToken, at) => token({ grant_type: 'refresh_token', refresh_token: refreshToken }, at),
  };
}
