import type { Tool as ApiTool } from '@tollgate/contracts/tools/tools';
import { toIso } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';

/** Converts a tool to the API's form, without its owner: the catalogue is public, accounts are not. */
export function toApiTool(tool: PricedTool): ApiTool {
  const { slug, name, description, price, defaultMax, archivedAtMs, createdAtMs } = tool;
  return {
    slug,
    name,
    description,
    price,
    default_max: defaultMax,
    archived: archivedAtMs !== null,
    created_at: toIso(createdAtMs),
  };
}
