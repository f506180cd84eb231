import type { Clock } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';
import { ownToolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction, OwnedTool, ToolChanges } from './catalogue.ts';

export interface ToolDescription extends OwnedTool {
  readonly changes: Pick<ToolChanges, 'name' | 'description'>;
}

/** Changes a tool's name or description. Throws `tool_not_found`, also for another owner's tool. */
export function createChangeTool({ clock }: { clock: Clock }) {
  return async function changeTool(
    { tools }: CatalogueTransaction,
    { changes, ...owned }: ToolDescription,
  ): Promise<PricedTool> {
    const isChanged = await tools.change(owned, changes);
    const tool = isChanged ? await tools.find(owned.slug, clock.now()) : undefined;
    if (tool === undefined) throw ownToolNotFound(owned.slug);
    return tool;
  };
}

export type ChangeTool = ReturnType<typeof createChangeTool>;
