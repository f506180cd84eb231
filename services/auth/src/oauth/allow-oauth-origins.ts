import { createAllowOrigins, type AllowOrigins } from '@tollgate/runtime/http/serving/cross-origin';
import { pathOf } from '@tollgate/runtime/http/requests/request-context';

/** Clients in browsers call these. They need no cookie, so a page of any origin gets only what it asks for by itself. */
const open = new Set([
  '/.well-known/oauth-authorization-server',
  '/.well-known/openid-configuration',
  '/oauth/jwks',
  '/oauth/register',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
]);

/** The endpoints of OAuth for pages of any origin, and all else for those of CORS_ORIGINS. */
export function allowOAuthOrigins(others: AllowOrigins): AllowOrigins {
  const everyOrigin = createAllowOrigins('*');
  return (request, response) => (open.has(pathOf(request)) ? everyOrigin : others)(request, response);
}
