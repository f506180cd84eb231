import { createHmac } from 'node:crypto';
import type { EventEmitter } from 'node:events';
import type { Clock } from '@tollgate/kernel/clock';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import {
  errors,
  interactionPolicy,
  Provider,
  type AdapterFactory,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { featureOfDocuments, fetchOfDocuments, type ClientDocuments } from './client-documents.ts';
import type { SigningKey } from '../signing-keys/signing-key.ts';
import { finishOAuthRequest, type FinishDeps } from './finish-oauth-request.ts';
import { toPublicClient } from './to-public-client.ts';
import { showOAuthError } from './show-oauth-error.ts';
import { readSpendDetail, type SpendDetails } from './spend-detail.ts';

/** The provider asks us these while it answers a request. */
export interface ProviderHooks extends SpendDetails {
  /** Undefined for an account that is suspended: it may not spend. */
  readonly findAccount: (accountId: string) => { readonly accountId: string } | undefined;
  /** The tools that name a resource. Undefined: it has none. */
  readonly findResource: (resource: string) => Promise<{ readonly name: string; readonly scope: string } | undefined>;
  /** Whether the owner has paused the pass of a consent. */
  readonly isPaused: (grantId: string) => Promise<boolean>;
  /** The pass that a token of the consent stands for. */
  readonly findPassId: (grantId: string) => Promise<string | undefined>;
}

export interface ProviderOptions {
  /** PUBLIC_URL, without a path. */
  readonly issuer: string;
  readonly secret: string;
  readonly adapter: AdapterFactory;
  readonly hooks: ProviderHooks;
  readonly finish: FinishDeps;
  readonly registers: boolean;
  readonly documents: ClientDocuments;
  /** Tokens live by it, as those of sessions do. */
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Logger;
}

const accessTokenSeconds = 3_600;
const codeSeconds = 60;
/** For so long a person may look for a password and think. */
export const interactionSeconds = 1_800;
/** A refresh token lives as long as its pass, which is asked at each use. */
const refreshTokenSeconds = 10 * 31_622_400;

/** The authorization server, by the library, with one key that signs. A provider with the next key replaces it. */
export function createProvider(options: ProviderOptions, key: SigningKey): Provider {
  const { issuer, finish, log } = options;
  const provider = new Provider(issuer, configurationOf(options, key));
  provider.proxy = true; // `present-request.ts` has set the headers that it then believes
  provider.use(finishOAuthRequest(finish));
  provider.on('server_error', (_ctx, error) => log.error({ err: error }, 'the authorization server failed'));
  const events: EventEmitter = provider; // its types lack koa's own event
  events.on('error', (error: unknown) => log.error({ err: error }, 'the authorization server failed'));
  return provider;
}

function configurationOf(options: ProviderOptions, key: SigningKey): Configuration {
  const { adapter, secret, hooks, documents } = options;
  return {
    adapter,
    jwks: { keys: [{ ...key.privateKey.export({ format: 'jwk' }), kid: key.keyId, alg: 'ES256', use: 'sig' } as JWK] }, // P-256
    routes,
    responseTypes: ['code'],
    scopes: [],
    claims: {},
    subjectTypes: ['public'],
    clientAuthMethods: ['none'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: { properties: ['tollgate'], validator: (...[, , , metadata]) => toPublicClient(metadata) },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    pkce: { required: () => true },
    cookies: cookiesOf(options.issuer, secret),
    interactions: { policy: alwaysAsk(), url: (_ctx, { uid }) => `/oauth/interaction/${uid}` },
    ...lives,
    rotateRefreshToken: ({ oidc }) => refreshes(hooks, oidc.entities.RefreshToken?.grantId),
    findAccount: async (_ctx, accountId) => {
      const account = hooks.findAccount(accountId);
      return account && { ...account, claims: async () => ({ sub: accountId }) };
    },
    loadExistingGrant: async ({ oidc }) => {
      const grantId = oidc.result?.consent?.grantId;
      return grantId === undefined ? undefined : oidc.provider.Grant.find(grantId);
    },
    renderError: showOAuthError,
    features: featuresOf(options),
    ...fetchOfDocuments(documents),
    extraTokenClaims: async (_ctx, token) => ({ pass_id: await passIdOf(hooks, token) }),
    formats: { customizers: { jwt: (_ctx, _token, { payload }) => toOwnTimes(payload, options.clock) } },
  };
}

const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  jwks: '/oauth/jwks',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  introspection: '/oauth/introspect',
};

const lives = {
  ttl: {
    AccessToken: accessTokenSeconds,
    AuthorizationCode: codeSeconds,
    Interaction: interactionSeconds,
    Grant: refreshTokenSeconds,
    RefreshToken: refreshTokenSeconds,
    Session: interactionSeconds,
    IdToken: accessTokenSeconds,
  },
  expiresWithSession: async () => false,
  issueRefreshToken: async (_ctx: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
    client.grantTypeAllowed('refresh_token'),
} satisfies Partial<Configuration>;

function featuresOf({ hooks, registers, documents }: ProviderOptions): Configuration['features'] {
  return {
    devInteractions: { enabled: false },
    userinfo: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    revocation: { enabled: true, allowedPolicy: isOwnToken },
    introspection: { enabled: true, allowedPolicy: isOwnToken },
    registration: { enabled: registers, initialAccessToken: false, issueRegistrationAccessToken: false },
    clientIdMetadataDocument: featureOfDocuments(documents),
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, oneOf) => oneOf ?? refuseTarget('The request must name its resource.'),
      getResourceServerInfo: (ctx, resource) => serverOf(ctx, resource, hooks),
      useGrantedResource: async () => true,
    },
    richAuthorizationRequests: {
      enabled: true,
      types: {
        tollgate_spend: { validate: (ctx) => void readSpendDetail(ctx.oidc.params?.['authorization_details']) },
      },
      authorizationDetailsForGrantSource: (ctx) => hooks.grantedDetails(ctx.oidc.entities.Grant?.jti),
      authorizationDetailsForAccessToken: (_ctx, _token, source) => source?.rar,
      authorizationDetailsForIntrospection: (_ctx, token) => token.rar,
    },
  };
}

/** One resource per request: a token is bound to it. */
async function serverOf(ctx: KoaContextWithOIDC, resource: string, { findResource }: ProviderHooks) {
  if (Array.isArray(ctx.oidc.params?.['resource'])) refuseTarget('The request may name one resource.');
  const found = await findResource(resource);
  if (found === undefined) return refuseTarget('No tool here names this resource. Its builder sets it.');
  return {
    scope: found.scope,
    audience: found.name,
    accessTokenTTL: accessTokenSeconds,
    accessTokenFormat: 'jwt' as const,
    jwt: { sign: { alg: 'ES256' as const } },
  };
}

function refuseTarget(message: string): never {
  throw new errors.InvalidTarget(message);
}

/** A client without a secret shows that a token is its own by having it. */
async function isOwnToken(
  ctx: KoaContextWithOIDC,
  client: { readonly clientId: string },
  token: { readonly clientId?: string | undefined },
): Promise<boolean> {
  return token.clientId === client.clientId && ctx.oidc.client?.clientId === client.clientId;
}

/**
 * Each refresh has a new token. A paused pass has none until it is resumed: with `invalid_grant` clients would forget the token that
 * they have, which is good then.
 */
async function refreshes({ isPaused }: ProviderHooks, grantId: string | undefined): Promise<true> {
  if (grantId === undefined || !(await isPaused(grantId))) return true;
  throw new errors.TemporarilyUnavailable('the owner of the pass has paused it');
}

async function passIdOf({ findPassId }: ProviderHooks, token: object): Promise<string> {
  const grantId = 'grantId' in token ? token.grantId : undefined;
  const passId = typeof grantId === 'string' ? await findPassId(grantId) : undefined;
  if (passId === undefined) throw new errors.InvalidGrant('the consent has ended');
  return passId;
}

/**
 * The services' clock may be moved, and the library's cannot. What the person allows is no business of the resource: the token
 * is shown to it.
 */
function toOwnTimes(payload: Record<string, unknown>, clock: Pick<Clock, 'now'>): void {
  const issuedAt = Math.floor(clock.now() / 1_000);
  delete payload['authorization_details'];
  Object.assign(payload, { iat: issuedAt, exp: issuedAt + accessTokenSeconds });
}

/** The page is shown each time, whatever a client asks for or an earlier consent says. */
function alwaysAsk() {
  const { Check, Prompt } = interactionPolicy;
  const isOpen = ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent?.grantId === undefined;
  const asked = new Check('always_asked', 'a person has to consent', 'consent_required', isOpen);
  return [
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'select_account', requestable: true }),
    new Prompt({ name: 'consent', requestable: true }, asked),
  ];
}

/** Signed, so that who learns the address of an interaction cannot take it over. */
function cookiesOf(issuer: string, secret: string): Configuration['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax' as const, signed: true, secure: issuer.startsWith('https:') };
  return {
    keys: [createHmac('sha256', secret).update('tollgate/auth oauth cookies').digest('base64url')],
    short: options,
    long: options,
  };
}
