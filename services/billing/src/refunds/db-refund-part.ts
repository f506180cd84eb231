import type { RefundedName, RefundPart } from './refund.ts';

export interface DbPart {
  readonly builder_id: string | null;
  readonly lines: readonly DbName[] | null;
}

interface DbName {
  readonly tool_id: string;
  readonly price_id: string | null;
  readonly charge: number | null;
}

export function toDbPart({ builderId, lines }: RefundPart): DbPart {
  return { builder_id: builderId, lines: lines && lines.map(toDbName) };
}

export function toDbName({ toolId, priceId, chargeIndex }: RefundedName): DbName {
  return { tool_id: toolId, price_id: priceId, charge: chargeIndex };
}

export function fromDbPart({ builder_id: builderId, lines }: DbPart): RefundPart {
  return { builderId, lines: lines && lines.map(fromDbName) };
}

function fromDbName({ tool_id: toolId, price_id: priceId, charge: chargeIndex }: DbName): RefundedName {
  return { toolId, priceId, chargeIndex };
}
