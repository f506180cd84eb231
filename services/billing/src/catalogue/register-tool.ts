import type { Actor } from '@tollgate/runtime/http/requests/act';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { AuthorizedMax } from '@tollgate/contracts/spending/authorizations';
import type { Price } from '@tollgate/contracts/tools/price';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { requirePriceAtMost, type PriceBounds } from './price-bounds.ts';
import { boundOrNull, type PricedTool } from './tool.ts';
import type { CatalogueTransaction } from './catalogue.ts';

export interface ToolRegistration {
  readonly ownerId: string;
  readonly slug: string;
  readonly name: string;
  readonly description?: string | undefined;
  readonly price: Price;
  readonly defaultMax?: AuthorizedMax | undefined;
}

export interface RegisterToolDeps {
  readonly clock: Clock;
  readonly toolsMax: number;
  readonly priceBounds: PriceBounds;
}

/**
 * Registers a tool with its first price. Throws `slug_taken` if any account has or had the slug, `too_many_tools` if the
 * account has as many as it may, and `price_too_high`.
 */
export function createRegisterTool({ clock, toolsMax, priceBounds }: RegisterToolDeps) {
  return async function registerTool(
    tx: CatalogueTransaction,
    registration: ToolRegistration,
    by: Actor,
  ): Promise<PricedTool> {
    const { tools } = tx;
    const { ownerId, slug, name, description = null, price, defaultMax } = registration;
    if ((await tools.count(ownerId)) >= toolsMax)
      throw new AppError('too_many_tools', `An account has at most ${toolsMax} tools, archived ones included.`);
    requirePriceAtMost(price, priceBounds);
    const createdAtMs = clock.now();
    const tool = {
      slug,
      ownerId,
      name,
      description,
      defaultMax: boundOrNull(defaultMax),
      archivedAtMs: null,
      createdAtMs,
    };
    const first = { id: uuidV7(createdAtMs), slug, effectiveFromMs: null, price, createdAtMs };
    const isAdded = await tools.add(tool, first);
    if (!isAdded) throw new AppError('slug_taken', `The slug "${slug}" is taken. A slug is never given out twice.`);
    await recordAct(tx, by, { action: 'tool.created', accountId: ownerId, object: { kind: 'tool', id: slug } });
    return { ...tool, price };
  };
}

export type RegisterTool = ReturnType<typeof createRegisterTool>;
