import { requireAccess } from '@tollgate/runtime/auth/require-access';
import { routeOf, setPrincipal } from '@tollgate/runtime/http/request-context';
import type { Admit } from '@tollgate/runtime/nest/access-guard';
import type { Authenticate } from './authenticate.ts';

/** Lets a request in by passport-jwt. Refresh judges its token itself: that token may have expired. */
export function admitBy(authenticate: Authenticate): Admit {
  return async function admit(request, response) {
    const { access } = routeOf(request);
    if (access === 'public' || access === 'refresh') return undefined;
    const principal = await authenticate(request, response);
    requireAccess(access, principal);
    setPrincipal(request, principal);
    return principal;
  };
}
