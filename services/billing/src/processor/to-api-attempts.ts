import { toIso } from '@tollgate/kernel/clock';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import type { Attempt } from './attempt.ts';
import { centsToMicros } from '@tollgate/kernel/whole-cents';

export function toApiAttempts(attempts: readonly Attempt[]) {
  return { attempts: attempts.map(toApiAttempt), total: attempts.length };
}

function toApiAttempt({ id, number, amountCents, status, failureCode, objectId, startedAtMs }: Attempt) {
  return {
    id,
    number,
    amount_usd: toUsdNumber(centsToMicros(amountCents)),
    status,
    failure_code: failureCode,
    processor_object_id: objectId,
    started_at: toIso(startedAtMs),
  };
}
