import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Clock } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';
import { ownToolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction, OwnedTool } from './catalogue.ts';

/**
 * Archives a tool for good. Archiving it again returns the tool unchanged, so a client may repeat a request whose
 * answer it missed. Throws `tool_not_found`, also for another owner's tool.
 */
export function createArchiveTool({ clock }: { clock: Clock }) {
  return async function archiveTool(tx: CatalogueTransaction, owned: OwnedTool, by: Actor): Promise<PricedTool> {
    const { tools } = tx;
    const nowMs = clock.now();
    const tool = await tools.find(owned.slug, nowMs);
    if (tool === undefined || tool.ownerId !== owned.ownerId) throw ownToolNotFound(owned.slug);
    if (tool.archivedAtMs !== null) return tool;
    await tools.archive(owned, nowMs);
    const object = { kind: 'tool', id: owned.slug };
    await recordAct(tx, by, { action: 'tool.archived', accountId: owned.ownerId, object });
    return { ...tool, archivedAtMs: nowMs };
  };
}

export type ArchiveTool = ReturnType<typeof createArchiveTool>;
