import type { Logger } from '../../logging/create-logger.ts';
import type { NotedAct } from '../requests/act.ts';

const firstRefusal = 400;

/**
 * Writes a line per act, in the stream `audit`, once the request is answered. An act in a refused request was rolled back
 * and has no line, unless the refusal is the act. A transaction that ran again has noted its acts twice.
 */
export function logActs(log: Logger, acts: readonly NotedAct[], status: number): void {
  const lines = acts.filter(({ act }) => status < firstRefusal || act.result === 'refused').map(toLine);
  for (const line of new Map(lines.map((each) => [JSON.stringify(each), each])).values()) log.info(line, 'audit');
}

function toLine({ by, act }: NotedAct) {
  return {
    stream: 'audit',
    action: act.action,
    result: act.result ?? 'done',
    account_id: act.accountId,
    actor: by.kind,
    actor_account_id: by.accountId,
    credential_id: by.credentialId,
    operator_name: by.operatorName,
    address: by.address,
    request_id: by.requestId,
    object_kind: act.object.kind,
    object_id: act.object.id,
    ...act.detail,
  };
}
