import type { Line } from '@tollgate/pricing/line';

/** What an invoice says of a line beside its money. */
export function describeLine({ toolId, builderId, name, unit }: Line): string {
  return `tool ${toolId} of ${builderId}, name ${name ?? 'none'}, unit ${unit}`;
}
