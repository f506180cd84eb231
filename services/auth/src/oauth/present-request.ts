import type { IncomingMessage } from 'node:http';
import { toKnownScope } from './scopes.ts';

/**
 * Parameters without a meaning here. Those of OpenID go with its scope, and the library refuses them otherwise. Answers come in
 * the query: as a form they would need a script on the page.
 */
const ignored = ['nonce', 'max_age', 'acr_values', 'id_token_hint', 'claims', 'claims_locales', 'response_mode'];

/**
 * Shows a request to the library as it came to PUBLIC_URL, whatever stands between: it makes its addresses from the request, and
 * its cookies for https.
 */
export function presentRequest(request: IncomingMessage, issuer: string): void {
  const { host, protocol } = new URL(issuer);
  Object.assign(request.headers, { host, 'x-forwarded-proto': protocol.slice(0, -1) });
  delete request.headers['x-forwarded-host'];
  const [path = '', query] = (request.url ?? '').split('?');
  if (path === '/oauth/authorize' && query !== undefined) request.url = `${path}?${toKnownQuery(query)}`;
}

function toKnownQuery(query: string): string {
  const parameters = new URLSearchParams(query);
  for (const name of ignored) parameters.delete(name);
  const scopes = parameters.getAll('scope');
  if (scopes.length < 2) parameters.set('scope', toKnownScope(scopes[0])); // several are refused by the library
  return parameters.toString();
}
