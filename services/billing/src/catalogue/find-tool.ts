import type { Clock } from '@tollgate/kernel/clock';
import type { PricedTool } from './tool.ts';
import { toolNotFound } from './tool-not-found.ts';
import type { CatalogueTransaction } from './catalogue.ts';

/** Finds any account's tool. Throws `tool_not_found`. */
export function createFindTool({ clock }: { clock: Clock }) {
  return async function findTool({ tools }: CatalogueTransaction, slug: string): Promise<PricedTool> {
    const tool = await tools.find(slug, clock.now());
    if (tool === undefined) throw toolNotFound(slug);
    return tool;
  };
}

export type FindTool = ReturnType<typeof createFindTool>;
