import { toIso } from '@tollgate/kernel/clock';
import type { Queryable } from '@tollgate/database/database';
import { createSandboxId } from './sandbox-id.ts';

export interface SandboxEvent {
  readonly type: string;
  readonly objectId: string;
  /** When it happens; in the future it is told of then. */
  readonly atMs: number;
}

const addText = `insert into sandbox.event (event_id, type, object_id, created_at) values ($1, $2, $3, $4)`;

/** In the transaction of what happened: nothing happens that no webhook tells of. */
export async function addSandboxEvent(db: Queryable, { type, objectId, atMs }: SandboxEvent): Promise<void> {
  await db.query(addText, [createSandboxId('evt'), type, objectId, toIso(atMs)]);
}
