import type { Queryable, Transaction } from '@tollgate/database/database';
import type { DeviceLogin } from './plan-poll.ts';

export interface NewDeviceLogin {
  readonly deviceHash: Uint8Array;
  readonly userCodeHash: Uint8Array;
  readonly client: string;
  readonly address: string;
  readonly askedAt: number;
  readonly expiresAt: number;
  readonly intervalSeconds: number;
}

const insert = {
  name: 'auth.insert_device_login',
  text: `insert into auth.device_login (device_hash, user_code_hash, client, address, asked_at, expires_at, interval_seconds)
values ($1, $2, $3, $4, $5, $6, $7) on conflict (user_code_hash) do nothing returning device_hash`,
};

/** False when the user code is taken: another one is needed. */
export async function insertDeviceLogin(db: Queryable, login: NewDeviceLogin): Promise<boolean> {
  const { deviceHash, userCodeHash, client, address, askedAt, expiresAt, intervalSeconds } = login;
  const values = [deviceHash, userCodeHash, client, address, new Date(askedAt), new Date(expiresAt), intervalSeconds];
  return (await db.query(insert, values)).length === 1;
}

/** The facts that a person sees before it approves. */
export interface WaitingLogin {
  readonly client: string;
  readonly address: string;
  readonly askedAt: number;
}

const isWaiting = 'session_id is null and refused_at is null and expires_at > $2';

const findWaiting = {
  name: 'auth.find_waiting_device_login',
  text: `select client, address, asked_at from auth.device_login where user_code_hash = $1 and ${isWaiting}`,
};

/** Undefined for a code that is unknown, expired or answered. */
export async function findWaitingLogin(
  db: Queryable,
  userCodeHash: Uint8Array,
  nowMs: number,
): Promise<WaitingLogin | undefined> {
  const values = [userCodeHash, new Date(nowMs)];
  const [row] = await db.query<{ client: string; address: string; asked_at: Date }>(findWaiting, values);
  return row && { client: row.client, address: row.address, askedAt: row.asked_at.getTime() };
}

const approve = {
  name: 'auth.approve_device_login',
  text: `update auth.device_login set session_id = $3 where user_code_hash = $1 and ${isWaiting} returning user_code_hash`,
};

export interface Approval {
  readonly userCodeHash: Uint8Array;
  readonly sessionId: string;
  readonly approvedAt: number;
}

/** False for a code that is unknown, expired or answered. Of racing callers one gets true. */
export async function approveLogin(tx: Transaction, approval: Approval): Promise<boolean> {
  const values = [approval.userCodeHash, new Date(approval.approvedAt), approval.sessionId];
  return (await tx.query(approve, values)).length === 1;
}

const refuse = {
  name: 'auth.refuse_device_login',
  text: `update auth.device_login set refused_at = $2 where user_code_hash = $1 and ${isWaiting} returning user_code_hash`,
};

/** False as in `approveLogin`. */
export async function refuseLogin(db: Queryable, userCodeHash: Uint8Array, refusedAt: number): Promise<boolean> {
  return (await db.query(refuse, [userCodeHash, new Date(refusedAt)])).length === 1;
}

interface LoginRow {
  expires_at: Date;
  interval_seconds: number;
  polled_at: Date | null;
  session_id: string | null;
  is_refused: boolean;
  is_redeemed: boolean;
}

const lock = {
  name: 'auth.lock_device_login',
  text: `select expires_at, interval_seconds, polled_at, session_id, refused_at is not null as is_refused,
  redeemed_at is not null as is_redeemed
from auth.device_login where device_hash = $1 for update`,
};

/** Racing polls come one after the other, so that one alone redeems. */
export async function lockDeviceLogin(tx: Transaction, deviceHash: Uint8Array): Promise<DeviceLogin | undefined> {
  const [row] = await tx.query<LoginRow>(lock, [deviceHash]);
  return (
    row && {
      expiresAt: row.expires_at.getTime(),
      intervalSeconds: row.interval_seconds,
      polledAt: row.polled_at?.getTime(),
      sessionId: row.session_id ?? undefined,
      isRefused: row.is_refused,
      isRedeemed: row.is_redeemed,
    }
  );
}

const notePoll = {
  name: 'auth.note_poll',
  text: 'update auth.device_login set polled_at = $2, interval_seconds = $3 where device_hash = $1',
};

export async function notePolled(
  tx: Transaction,
  poll: { readonly deviceHash: Uint8Array; readonly polledAt: number; readonly intervalSeconds: number },
): Promise<void> {
  await tx.query(notePoll, [poll.deviceHash, new Date(poll.polledAt), poll.intervalSeconds]);
}

const redeem = {
  name: 'auth.redeem_device_login',
  text: 'update auth.device_login set redeemed_at = $2 where device_hash = $1',
};

/** Under the lock of `lockDeviceLogin`. */
export async function noteRedeemed(tx: Transaction, deviceHash: Uint8Array, redeemedAt: number): Promise<void> {
  await tx.query(redeem, [deviceHash, new Date(redeemedAt)]);
}
