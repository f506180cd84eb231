import type { IncomingMessage } from 'node:http';
import type { Principal } from '../http/requests/principal.ts';
import { actsOf, clientAddressOf, contextOf, requestIdOf } from '../http/requests/request-context.ts';
import type { Actor } from '../http/requests/act.ts';

/** The caller of a request, as the audit trail names it. */
export function actorOf(request: IncomingMessage): Actor {
  const from = { address: clientAddressOf(request), requestId: requestIdOf(request), acts: actsOf(request) };
  return { ...toActor(contextOf(request)?.principal), ...from };
}

function toActor(
  principal: Principal | undefined,
): Pick<Actor, 'kind' | 'accountId' | 'credentialId' | 'operatorName'> {
  switch (principal?.kind) {
    case undefined:
      return { kind: 'nobody' };
    case 'operator':
      return principal.person
        ? { kind: 'operator', accountId: principal.person.accountId, credentialId: principal.person.sessionId }
        : { kind: 'operator', operatorName: principal.name };
    case 'session':
      return { kind: 'session', accountId: principal.accountId, credentialId: principal.sessionId };
    case 'pass':
      return { kind: 'pass', accountId: principal.accountId, credentialId: principal.passId };
    case 'embed': // it only reads, and nothing that it reads leaves an act
      return { kind: 'nobody', accountId: principal.accountId };
    case 'api_key':
      return { kind: 'api_key', accountId: principal.accountId, credentialId: principal.keyId };
  }
}
