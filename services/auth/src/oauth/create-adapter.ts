import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { dayMs } from '@tollgate/kernel/durations';
import { errors, type Adapter, type AdapterFactory, type AdapterPayload } from 'oidc-provider';
import type { EndConsent } from './end-consent.ts';
import { spendScope, toolScope } from './scopes.ts';
import { spellingsOf } from './spellings-of.ts';
import { findLiveGrant, type LiveGrant } from './sql-oauth-grant.ts';
import {
  consumeObject,
  destroyObject,
  destroyObjectsOf,
  findObject,
  putObject,
  type StoredObject,
} from './sql-oauth-object.ts';

export interface AdapterDeps {
  /** Connects as auth_worker: the library asks before it knows an account. */
  readonly worker: Database;
  /** Consents and their passes end by it. */
  readonly clock: Pick<Clock, 'now'>;
  /** The library goes by it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly endConsent: EndConsent;
}

/** Requests that cross on their way, and an answer that was lost, get the same successor. */
const usedTokenGraceMs = 10_000;
const yearMs = 366 * dayMs;

/**
 * Where the library keeps its things: in one table, by the hash of their ids. Two kinds are not there. A grant is our own row,
 * beside its pass. A session of the library is kept nowhere: each consent has a sign-in of its own.
 */
export function createAdapterFactory(deps: AdapterDeps): AdapterFactory {
  return (model) => {
    if (model === 'Session') return keepsNothing;
    return model === 'Grant' ? grantAdapter(deps) : tableAdapter(model, deps);
  };
}

const nothing = async (): Promise<undefined> => undefined;

const keepsNothing: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

/** `consentTo` makes grants. Destroying one ends the consent: the library does so when a code or a token is used again. */
function grantAdapter({ worker, clock, realTime, endConsent }: AdapterDeps): Adapter {
  return {
    ...keepsNothing,
    async find(id) {
      const grant = await findLiveGrant(worker, id, clock.now());
      return grant && toPayload(grant, realTime.now());
    },
    destroy: async (id) => void (await endConsent(id)),
  };
}

function toPayload({ grantId, accountId, clientId, resource, allowance, consentedAt }: LiveGrant, nowMs: number) {
  const scope = [spendScope, ...allowance.toolIds.map(toolScope)].join(' ');
  return {
    kind: 'Grant',
    jti: grantId,
    accountId,
    clientId,
    iat: toSeconds(consentedAt),
    exp: toSeconds(nowMs + yearMs), // it ends with its pass, which was looked at just now
    resources: Object.fromEntries(spellingsOf(resource).map((spelling) => [spelling, scope])),
  };
}

function tableAdapter(model: string, { worker, realTime }: AdapterDeps): Adapter {
  return {
    ...keepsNothing,
    async upsert(id, { jti: _secret, ...payload }, expiresInSeconds) {
      const lifeMs = expiresInSeconds === undefined ? clientLifeMs : expiresInSeconds * 1_000;
      const expiresAt = realTime.now() + lifeMs;
      await putObject(worker, { model, id, payload, grantId: payload.grantId, expiresAt });
    },
    async find(id) {
      const nowMs = realTime.now();
      const found = await findObject(worker, { model, id }, model === 'Client' ? 0 : nowMs); // the sweep decides for clients
      return found && withId(id, found, model === 'RefreshToken' ? nowMs - usedTokenGraceMs : nowMs);
    },
    async consume(id) {
      if (await consumeObject(worker, { model, id }, realTime.now())) return;
      if (model !== 'RefreshToken') throw new errors.InvalidGrant('authorization code already consumed');
    },
    destroy: (id) => destroyObject(worker, { model, id }),
    revokeByGrantId: (grantId) => destroyObjectsOf(worker, model, grantId),
  };
}

/** Clients alone have no end of their own. One that has no consent by then is deleted by the sweep. */
const clientLifeMs = 7 * dayMs;

function withId(id: string, { payload, consumedAt }: StoredObject, usedBefore: number): AdapterPayload {
  const isUsed = consumedAt !== undefined && consumedAt <= usedBefore;
  return {
    ...payload,
    ...(payload['kind'] !== undefined && { jti: id }),
    ...(isUsed && { consumed: toSeconds(consumedAt) }),
  };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
