import type { Queryable } from '@tollgate/database/database';
import type { Act, Actor } from '../http/requests/act.ts';

const insert = {
  name: 'audit.record_act',
  text: `insert into audit.act (action, result, account_id, actor, actor_account_id, credential_id, operator_name,
  address, request_id, object_kind, object_id, detail)
values ($1, $2, $3::uuid, $4, $5::uuid, $6::uuid, $7, $8, $9, $10, $11, $12::jsonb)`,
};

/**
 * Writes an act into the audit trail. With the transaction of the act itself, a durable act has its row, and an act that
 * is rolled back has none.
 */
export async function recordAct(db: Queryable, by: Actor, act: Act): Promise<void> {
  const { action, result = 'done', accountId, object, detail = {} } = act;
  const who = [by.kind, by.accountId, by.credentialId, by.operatorName, by.address, by.requestId];
  const values = [action, result, accountId, ...who, object.kind, object.id, JSON.stringify(detail)];
  await db.query(
    insert,
    values.map((value) => value ?? null),
  );
  by.acts?.push({ by, act });
}
