import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { createSandboxId } from './sandbox-id.ts';

export interface SandboxEvent {
  readonly type: string;
  readonly objectId: string;
  /** When it happens. An event in the future is sent at that time. */
  readonly atMs: number;
}

const addText = `insert into sandbox.event (event_id, type, object_id, created_at) values ($1, $2, $3, $4)`;

/** Stores an event in the transaction of its effect, so that every effect has its webhook. */
export async function addSandboxEvent(db: Queryable, { type, objectId, atMs }: SandboxEvent): Promise<void> {
  await db.query(addText, [createSandboxId('evt'), type, objectId, toIso(atMs)]);
}
