import type { Granted } from './random-steps.ts';
import type { Truth } from './read-truth.ts';

/** Where credits are not what was granted, or are not what the ledger owes. */
export function creditDifferences(truth: Truth, granted: Granted): string[] {
  const made = new Map(truth.grants.map((grant) => [grant.id, grant]));
  const missing = [...granted].flatMap(([id, { cents, isAnswered }]) => {
    const are = made.get(id)?.cents;
    return are === cents || (are === undefined && !isAnswered) ? [] : [`grant ${id} of ${cents} cents is ${are}`];
  });
  const unknown = truth.grants.filter(({ id }) => !granted.has(id)).map(({ id }) => `nobody granted ${id}`);
  const unequal = truth.left.flatMap(({ accountId, cents }) => {
    const owed = -(truth.balances[`consumer_balance ${accountId}`] ?? 0n);
    return owed === cents * 10_000n ? [] : [`${accountId} has credits of ${cents} cents, and a balance of ${owed}`];
  });
  return [...missing, ...unknown, ...unequal];
}
