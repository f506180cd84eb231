import type { Clock } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';
import { ownToolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction, OwnedTool } from './catalogue.ts';

/** Final. Archiving again answers the tool as it is: whoever did not get the first answer may ask again. */
export function createArchiveTool({ clock }: { clock: Clock }) {
  return async function archiveTool({ tools }: CatalogueTransaction, owned: OwnedTool): Promise<PricedTool> {
    const nowMs = clock.now();
    const tool = await tools.find(owned.slug, nowMs);
    if (tool === undefined || tool.ownerId !== owned.ownerId) throw ownToolNotFound(owned.slug);
    if (tool.archivedAtMs !== null) return tool;
    await tools.archive(owned, nowMs);
    return { ...tool, archivedAtMs: nowMs };
  };
}

export type ArchiveTool = ReturnType<typeof createArchiveTool>;
