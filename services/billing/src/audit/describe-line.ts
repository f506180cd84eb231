import type { Line } from '@tollgate/pricing/line';

/** Describes a line as its invoice does, without the money. */
export function describeLine({ toolId, builderId, name, unit }: Line): string {
  return `tool ${toolId} of ${builderId}, name ${name ?? 'none'}, unit ${unit}`;
}
