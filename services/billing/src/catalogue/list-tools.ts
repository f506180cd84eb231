import type { Clock } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';
import type { CatalogueTransaction, ListPage, ToolListQuery } from './catalogue.ts';

/** Lists tools with their prices in force, newest first. */
export function createListTools({ clock }: { clock: Clock }) {
  return async function listTools(
    { tools }: CatalogueTransaction,
    query: Omit<ToolListQuery, 'nowMs'>,
  ): Promise<ListPage<PricedTool>> {
    return tools.list({ ...query, nowMs: clock.now() });
  };
}

export type ListTools = ReturnType<typeof createListTools>;
