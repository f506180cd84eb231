import type { ApiAct, ApiOwnAct } from '@tollgate/contracts/operator/audit';
import { toIso } from '@tollgate/kernel/clock';
import type { ActRow, OwnActRow } from './sql-acts.ts';

export function toApiOwnAct(row: OwnActRow): ApiOwnAct {
  const { act_id, occurred_at, action, result, actor, credential_id, address, request_id, object_kind, object_id } =
    row;
  const what = { id: act_id.toString(), occurred_at: toIso(occurred_at.getTime()), action, result, actor };
  return { ...what, credential_id, address, request_id, object_kind, object_id };
}

export function toApiAct(row: ActRow): ApiAct {
  const { account_id, actor_account_id, operator_name, detail } = row;
  return { ...toApiOwnAct(row), account_id, actor_account_id, operator_name, detail };
}
