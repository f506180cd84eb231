/** A grant as the operator gave it. Times are hours, counted from anywhere. */
export interface SlowGrant {
  readonly name: string;
  readonly from: number;
  /** Null: it never expires. */
  readonly until: number | null;
  readonly cents: number;
}

export interface SlowHour {
  readonly hour: number;
  readonly micros: number;
}

/**
 * The payer of each cent of the hours' charges, with no thought of speed: `nobody` where no grant pays. Of the
 * grants that are valid in the hour and have a cent, it is the one that expires first, then the one that was named first.
 */
export function laySlowly(grants: readonly SlowGrant[], hours: readonly SlowHour[]): string[] {
  const payers: string[] = [];
  let micros = 0;
  for (const { hour, micros: charge } of hours) {
    micros += charge;
    while (payers.length * 10_000 < micros) payers.push(payerIn(hour, grants, payers));
    while (payers.length > 0 && (payers.length - 1) * 10_000 >= micros) payers.pop();
  }
  return payers;
}

function payerIn(hour: number, grants: readonly SlowGrant[], payers: readonly string[]): string {
  const spentOf = ({ name }: SlowGrant) => payers.filter((payer) => payer === name).length;
  const paying = grants.filter((grant) => isValidIn(grant, hour) && spentOf(grant) < grant.cents);
  const soonest = Math.min(...paying.map(endOf));
  return paying.find((grant) => endOf(grant) === soonest)?.name ?? 'nobody';
}

/** In some minute of the hour. */
function isValidIn(grant: SlowGrant, hour: number): boolean {
  return grant.from < hour + 1 && endOf(grant) > hour;
}

function endOf({ until }: SlowGrant): number {
  return until ?? Infinity;
}
