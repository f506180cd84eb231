import type { Tool as ApiTool } from '@tollgate/contracts/tools';
import { toIso } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';

/** Converts a tool to the API's form, without its owner: the catalogue is public, accounts are not. */
export function toApiTool({ slug, name, description, price, archivedAtMs, createdAtMs }: PricedTool): ApiTool {
  return { slug, name, description, price, archived: archivedAtMs !== null, created_at: toIso(createdAtMs) };
}
