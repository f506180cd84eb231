import type { Queryable } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';
import { findLiveGrantOfPass } from './sql-oauth-grant.ts';

export interface JudgedToken {
  readonly claims: JWTPayload & { readonly client_id: string; readonly pass_id: string };
  readonly grantId: string;
}

/** Undefined for a token that does not count: forged, expired, or of a consent that has ended. */
export type JudgeToken = (token: string) => Promise<JudgedToken | undefined>;

interface Deps {
  readonly issuer: string;
  readonly publishedKeys: () => JSONWebKeySet;
  readonly worker: Queryable;
  readonly clock: Pick<Clock, 'now'>;
}

export function createJudgeToken({ issuer, publishedKeys, worker, clock }: Deps): JudgeToken {
  return async function judgeToken(token) {
    const rules = { issuer, typ: 'at+jwt', algorithms: ['ES256'], currentDate: new Date(clock.now()) };
    const claims = await jwtVerify(token, createLocalJWKSet(publishedKeys()), rules).then(
      ({ payload }) => payload as JudgedToken['claims'], // signed by us, with these
      () => undefined,
    );
    const grant = claims && (await findLiveGrantOfPass(worker, claims.pass_id, clock.now()));
    return claims && grant && { claims, grantId: grant.grantId };
  };
}
