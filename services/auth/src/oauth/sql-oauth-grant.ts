import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import { micros } from '@tollgate/kernel/money';
import type { Allowance, CapWindow } from './allowance.ts';

/** A consent: a client may spend at a resource, and the pass says how much. */
export interface Grant {
  readonly grantId: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly resource: string;
  readonly passId: string;
}

export interface LiveGrant extends Grant {
  readonly allowance: Allowance;
  readonly isPaused: boolean;
  readonly consentedAt: number;
}

interface LiveRow {
  grant_id: string;
  account_id: string;
  client_id: string;
  resource: string;
  pass_id: string;
  consented_at: Date;
  tool_ids: string[] | null;
  cap_micros: bigint | null;
  cap_window: CapWindow | null;
  per_call_max_micros: bigint | null;
  approve_above_micros: bigint | null;
  expires_at: Date | null;
  is_paused: boolean;
}

const selectLive = `select g.grant_id, g.account_id, g.client_id, g.resource, g.pass_id, g.consented_at, p.tool_ids, p.cap_micros,
  p.cap_window, p.per_call_max_micros, p.approve_above_micros, p.expires_at, p.is_paused
from auth.oauth_grant g join gate.pass_state_v1 p on p.pass_id = g.pass_id
where g.ended_at is null and p.revoked_at is null and (p.expires_at is null or p.expires_at > $2)`;

const findLive = { name: 'auth.find_live_oauth_grant', text: `${selectLive} and g.grant_id = $1` };
const findLiveOfPass = { name: 'auth.find_live_oauth_grant_of_pass', text: `${selectLive} and g.pass_id = $1` };

/**
 * Undefined for a grant that has ended: by itself, or because its pass was revoked or has expired. Whoever refreshes asks this,
 * so the end of either is felt at once.
 */
export async function findLiveGrant(worker: Queryable, grantId: string, nowMs: number): Promise<LiveGrant | undefined> {
  const [row] = await worker.query<LiveRow>(findLive, [grantId, new Date(nowMs)]);
  return row && fromLiveRow(row);
}

/** The same, by its pass. */
export async function findLiveGrantOfPass(
  worker: Queryable,
  passId: string,
  nowMs: number,
): Promise<LiveGrant | undefined> {
  const [row] = await worker.query<LiveRow>(findLiveOfPass, [passId, new Date(nowMs)]);
  return row && fromLiveRow(row);
}

function fromLiveRow(row: LiveRow): LiveGrant {
  return {
    grantId: row.grant_id,
    accountId: row.account_id,
    clientId: row.client_id,
    resource: row.resource,
    passId: row.pass_id,
    isPaused: row.is_paused,
    consentedAt: row.consented_at.getTime(),
    allowance: {
      toolIds: row.tool_ids ?? [],
      cap: { amountMicros: micros(row.cap_micros ?? 0n), window: row.cap_window ?? 'total' },
      perCallMaxMicros: row.per_call_max_micros === null ? undefined : micros(row.per_call_max_micros),
      approveAboveMicros: row.approve_above_micros === null ? undefined : micros(row.approve_above_micros),
      expiresAt: row.expires_at?.getTime(),
    },
  };
}

const findOf = {
  name: 'auth.find_oauth_grant_of_client',
  text: `select grant_id, account_id, client_id, resource, pass_id from auth.oauth_grant
where account_id = $1 and client_id = $2 and resource = $3 and ended_at is null`,
};

type GrantRow = Pick<LiveRow, 'grant_id' | 'account_id' | 'client_id' | 'resource' | 'pass_id'>;

/** The consent that the account gave before to this client for this resource. Its pass may have ended. */
export async function findGrantOf(
  tx: Transaction,
  { accountId, clientId, resource }: Pick<Grant, 'accountId' | 'clientId' | 'resource'>,
): Promise<Grant | undefined> {
  const [row] = await tx.query<GrantRow>(findOf, [accountId, clientId, resource]);
  return (
    row && {
      grantId: row.grant_id,
      accountId: row.account_id,
      clientId: row.client_id,
      resource: row.resource,
      passId: row.pass_id,
    }
  );
}

const putPass = {
  name: 'gate.put_consented_pass',
  text: 'select gate.put_consented_pass($1, $2, $3::text[], $4, $5, $6, $7, $8, $9, $10) as outcome',
};

export interface PassToPut extends Allowance {
  readonly passId: string;
  readonly name: string;
  readonly at: number;
  readonly passesMax: number;
}

type PassOutcome = 'created' | 'changed' | 'gone' | 'too_many';

/**
 * Makes the pass, or changes it if it still counts. `gone`: it was there and has ended. `too_many`: the account has as many
 * passes as it may have.
 */
export async function putConsentedPass(tx: Transaction, pass: PassToPut): Promise<PassOutcome> {
  const { passId, name, toolIds, cap, perCallMaxMicros, approveAboveMicros, expiresAt, at, passesMax } = pass;
  const ofCalls = [perCallMaxMicros, approveAboveMicros].map((limit) => limit?.toString() ?? null);
  const limits = [cap.amountMicros.toString(), cap.window, ...ofCalls];
  const times = [expiresAt === undefined ? null : new Date(expiresAt), new Date(at)];
  const rows = await tx.query<{ outcome: PassOutcome }>(putPass, [
    passId,
    name,
    toolIds,
    ...limits,
    ...times,
    passesMax,
  ]);
  return onlyRow(rows).outcome;
}

const put = {
  name: 'auth.put_oauth_grant',
  text: `insert into auth.oauth_grant (grant_id, account_id, client_id, client_name, resource, pass_id, created_at, consented_at)
values ($1, $2, $3, $4, $5, $6, $7, $7)
on conflict (grant_id) do update set client_name = excluded.client_name, pass_id = excluded.pass_id,
  consented_at = excluded.consented_at`,
};

export async function putGrant(
  tx: Transaction,
  grant: Grant & { readonly clientName: string; readonly consentedAt: number },
): Promise<void> {
  const { grantId, accountId, clientId, clientName, resource, passId, consentedAt } = grant;
  await tx.query(put, [grantId, accountId, clientId, clientName, resource, passId, new Date(consentedAt)]);
}

const close = {
  name: 'auth.close_oauth_grant',
  text: 'update auth.oauth_grant set ended_at = $2 where grant_id = $1 and ended_at is null',
};

/** For a consent whose pass has ended. */
export async function closeGrant(tx: Transaction, grantId: string, atMs: number): Promise<void> {
  await tx.query(close, [grantId, new Date(atMs)]);
}

const end = {
  name: 'auth.end_oauth_grant',
  text: `with ended as (
  update auth.oauth_grant set ended_at = $2 where grant_id = $1 and ended_at is null returning account_id, pass_id
)
select account_id, pass_id, gate.revoke_consented_pass(pass_id, $2) as was_live from ended`,
};

/** Ends the consent and revokes its pass. Undefined for one that has ended before. */
export async function endGrant(
  tx: Transaction,
  grantId: string,
  atMs: number,
): Promise<{ readonly accountId: string; readonly passId: string; readonly wasLive: boolean } | undefined> {
  const [row] = await tx.query<{ account_id: string; pass_id: string; was_live: boolean }>(end, [
    grantId,
    new Date(atMs),
  ]);
  return row && { accountId: row.account_id, passId: row.pass_id, wasLive: row.was_live };
}
