import { onlyRow, type Transaction } from '@tollgate/database/database';
import { micros, type Micros } from '@tollgate/kernel/money';
import type { PageStart } from '@tollgate/runtime/http/lists/page-position';
import type { CapWindow } from './allowance.ts';

/** A live consent as its account sees it. Times are epoch milliseconds. */
export interface OwnConsent {
  readonly grantId: string;
  readonly clientId: string;
  readonly clientName: string;
  readonly resource: string;
  readonly passId: string;
  readonly toolIds: readonly string[];
  readonly cap: { readonly amountMicros: Micros; readonly window: CapWindow } | undefined;
  readonly perCallMaxMicros: Micros | undefined;
  readonly approveAboveMicros: Micros | undefined;
  readonly isPaused: boolean;
  readonly createdAt: number;
  readonly consentedAt: number;
  /** Goes by the clock of the machine, as the library writes it. */
  readonly lastTokenAt: number | undefined;
  readonly expiresAt: number | undefined;
}

interface Row {
  grant_id: string;
  client_id: string;
  client_name: string;
  resource: string;
  pass_id: string;
  tool_ids: string[] | null;
  cap_micros: bigint | null;
  cap_window: CapWindow | null;
  per_call_max_micros: bigint | null;
  approve_above_micros: bigint | null;
  is_paused: boolean;
  created_at: Date;
  consented_at: Date;
  last_token_at: Date | null;
  expires_at: Date | null;
}

const isLive = '(expires_at is null or expires_at > $1)';
const list = {
  name: 'auth.list_own_consents',
  text: `select grant_id, client_id, client_name, resource, pass_id, tool_ids, cap_micros, cap_window, per_call_max_micros,
  approve_above_micros, is_paused, created_at, consented_at, last_token_at, expires_at
from auth.own_consent_v1
where ${isLive} and ($2::timestamptz is null or (created_at, grant_id) < ($2, $3::uuid))
order by created_at desc, grant_id desc limit $4`,
};

export interface ConsentQuery extends PageStart {
  readonly limit: number;
  readonly nowMs: number;
}

/** The consents of the transaction's account, newest first. */
export async function listOwnConsents(tx: Transaction, { after, limit, nowMs }: ConsentQuery): Promise<OwnConsent[]> {
  const position = [after === undefined ? null : new Date(after.createdAtMs), after?.id ?? null];
  return (await tx.query<Row>(list, [new Date(nowMs), ...position, limit])).map(fromRow);
}

const count = {
  name: 'auth.count_own_consents',
  text: `select count(*)::int as live from auth.own_consent_v1 where ${isLive}`,
};

export async function countOwnConsents(tx: Transaction, nowMs: number): Promise<number> {
  return onlyRow(await tx.query<{ live: number }>(count, [new Date(nowMs)])).live;
}

const find = {
  name: 'auth.find_own_consent',
  text: `select 1 from auth.own_consent_v1 where grant_id = $2 and ${isLive}`,
};

/** Whether the transaction's account has this live consent. */
export async function hasOwnConsent(tx: Transaction, grantId: string, nowMs: number): Promise<boolean> {
  return (await tx.query(find, [new Date(nowMs), grantId])).length === 1;
}

function fromRow(row: Row): OwnConsent {
  return {
    grantId: row.grant_id,
    clientId: row.client_id,
    clientName: row.client_name,
    resource: row.resource,
    passId: row.pass_id,
    toolIds: row.tool_ids ?? [],
    cap:
      row.cap_micros === null || row.cap_window === null
        ? undefined
        : { amountMicros: micros(row.cap_micros), window: row.cap_window },
    perCallMaxMicros: toMicros(row.per_call_max_micros),
    approveAboveMicros: toMicros(row.approve_above_micros),
    isPaused: row.is_paused,
    createdAt: row.created_at.getTime(),
    consentedAt: row.consented_at.getTime(),
    lastTokenAt: row.last_token_at?.getTime(),
    expiresAt: row.expires_at?.getTime(),
  };
}

function toMicros(amount: bigint | null): Micros | undefined {
  return amount === null ? undefined : micros(amount);
}
