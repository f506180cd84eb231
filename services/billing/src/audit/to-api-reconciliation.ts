import type { Reconciliation, ReconciledSide, ReconcileStep } from './reconciliation.ts';
import { toJsonInteger } from '@tollgate/runtime/http/answers/to-json-integer';

/** Converts a reconciliation to the API's form, which the CLI also prints. */
export function toApiReconciliation({ period, accountId, isEqual, steps }: Reconciliation) {
  return { period, account_id: accountId, equal: isEqual, steps: steps.map(toApiStep) };
}

function toApiStep({ name, unit, left, right, differing, rows, note }: ReconcileStep) {
  return { name, unit, equal: differing === 0, left: toApiSide(left), right: toApiSide(right), differing, rows, note };
}

function toApiSide({ what, count, sum }: ReconciledSide) {
  return { what, count: toJsonInteger(count), sum };
}
