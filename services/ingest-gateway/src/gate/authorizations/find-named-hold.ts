import type { IncomingMessage } from 'node:http';
import type { AppError } from '@tollgate/kernel/app-error';
import { isUuid } from '@tollgate/kernel/uuid';
import type { Queryable } from '@tollgate/database/database';
import type { Principal } from '@tollgate/runtime/http/requests/principal';
import { accountIdOf, paramsOf, principalOf } from '@tollgate/runtime/http/requests/request-context';
import type { PassOf } from '../../passes/pass-of.ts';
import { askerIdOf, type Asker } from '../deciding/find-payer.ts';
import { authorizationNotFound } from '../deciding/refusals.ts';
import type { Hold } from './hold.ts';
import { pays } from './show-authorization.ts';
import { findHolds } from './sql-hold.ts';

/** Finds the authorization that the path of a request names. Throws 404 where its sender may not know of it. */
export function createFindNamedHold({ database, passOf }: { readonly database: Queryable; readonly passOf: PassOf }) {
  return { askerOf, findAsked, findSeen };

  function askerOf(request: IncomingMessage): Asker {
    return { accountId: accountIdOf(request), pass: passOf(request) };
  }

  /** Only who asked may change an authorization: a consumer who released one would take the call from its builder. */
  async function findAsked(request: IncomingMessage): Promise<Hold> {
    const hold = await find(request);
    if (hold?.askerId !== askerIdOf(askerOf(request))) throw notFoundBy(request);
    return hold;
  }

  async function findSeen(request: IncomingMessage): Promise<Hold> {
    const asker = askerOf(request);
    const hold = await find(request);
    const isSeen = hold?.askerId === askerIdOf(asker) || (hold && pays(asker, hold) && mayRead(principalOf(request)));
    if (hold === undefined || isSeen !== true) throw notFoundBy(request);
    return hold;
  }

  /** The hold of an event without an authorization is no authorization. */
  async function find(request: IncomingMessage): Promise<Hold | undefined> {
    const holdId = paramsOf(request)['authorization_id'] ?? '';
    const [hold] = isUuid(holdId) ? await findHolds(database, [holdId]) : [];
    return hold?.eventId === hold?.holdId ? undefined : hold;
  }
}

export type FindNamedHold = ReturnType<typeof createFindNamedHold>;

/** An API key for `events` alone sees what such keys ask for, and nothing else of its account. */
function mayRead(principal: Principal): boolean {
  return principal.kind !== 'api_key' || principal.can === undefined || principal.can.includes('read');
}

function notFoundBy(request: IncomingMessage): AppError {
  return authorizationNotFound(paramsOf(request)['authorization_id']);
}
