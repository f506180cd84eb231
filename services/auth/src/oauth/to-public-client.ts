import { errors, type ClientMetadata } from 'oidc-provider';
import { isLoopbackHost } from './redirect-target.ts';

const redirectsMax = 20;
const addressLengthMax = 2_048;
const nameLengthMax = 100;

/** All that a client may say about itself. `application_type` decides whether ports of loopback addresses must match. */
const taken = new Set([
  'client_id',
  'client_id_issued_at',
  'client_name',
  'client_uri',
  'redirect_uris',
  'application_type',
  'response_types',
]);

/**
 * Makes a client of what a stranger sent, by registration or in a metadata document: a public one (PKCE proves its requests),
 * with codes and refresh tokens. Everything else is dropped: addresses that we would fetch, keys, algorithms, secrets. So is
 * `scope`: clients copy the first challenge into it, and the library would refuse whatever a later one asks. Throws the
 * library's errors.
 */
export function toPublicClient(metadata: Partial<ClientMetadata>): void {
  if (metadata.token_endpoint_auth_method === 'private_key_jwt')
    throw refused('token_endpoint_auth_method must be none: clients are public here');
  for (const name of Object.keys(metadata)) if (!taken.has(name)) delete metadata[name];
  const redirects = readRedirects(metadata.redirect_uris);
  const name = plainText(metadata.client_name);
  Object.assign(metadata, {
    client_name: name === '' ? undefined : name,
    application_type: typeOf(redirects, metadata.application_type),
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    id_token_signed_response_alg: 'ES256',
    authorization_details_types: ['tollgate_spend'],
  });
}

function readRedirects(uris: unknown): URL[] {
  if (!Array.isArray(uris) || uris.length === 0) throw refused('redirect_uris must contain members');
  if (uris.length > redirectsMax) throw refused(`redirect_uris must contain at most ${redirectsMax} members`);
  return uris.map((uri: unknown) => {
    const url = typeof uri === 'string' && uri.length <= addressLengthMax ? URL.parse(uri) : null;
    if (url === null) throw refused('redirect_uris must only contain valid uris');
    if (url.protocol === 'http:' && !isLoopbackHost(url.hostname))
      throw refused('redirect_uris must use https, or lead to this machine');
    return url;
  });
}

/** Native: all that a client without a server of its own can have. It listens on another port each time. */
function typeOf(redirects: readonly URL[], said: unknown): 'native' | 'web' {
  const isOnDevice = (url: URL) => url.protocol !== 'https:';
  if (said === 'native') return 'native';
  const hasOwnScheme = redirects.some((url) => url.protocol !== 'https:' && url.protocol !== 'http:');
  return hasOwnScheme || redirects.every(isOnDevice) ? 'native' : 'web';
}

/** A name that shows what it is: without marks that turn the text around, or lines. */
function plainText(name: unknown): string {
  if (typeof name !== 'string') return '';
  return name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
    .slice(0, nameLengthMax);
}

function refused(message: string): Error {
  return new errors.InvalidClientMetadata(message);
}
