import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Clock } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';
import { ownToolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction, OwnedTool, ToolChanges } from './catalogue.ts';

export interface ToolDescription extends OwnedTool {
  readonly changes: ToolChanges;
}

/** Changes a tool's name, description or default bound. Throws `tool_not_found`, also for another owner's tool. */
export function createChangeTool({ clock }: { clock: Clock }) {
  return async function changeTool(
    tx: CatalogueTransaction,
    { changes, ...owned }: ToolDescription,
    by: Actor,
  ): Promise<PricedTool> {
    const { tools } = tx;
    const isChanged = await tools.change(owned, changes);
    const tool = isChanged ? await tools.find(owned.slug, clock.now()) : undefined;
    if (tool === undefined) throw ownToolNotFound(owned.slug);
    const object = { kind: 'tool', id: owned.slug };
    await recordAct(tx, by, { action: 'tool.changed', accountId: owned.ownerId, object });
    return tool;
  };
}

export type ChangeTool = ReturnType<typeof createChangeTool>;
