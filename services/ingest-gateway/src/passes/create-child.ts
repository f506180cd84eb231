import { passChildrenMax, passLevelsMax, type CreateChildPass } from '@tollgate/contracts/spending/child-passes';
import type { Transaction } from '@tollgate/database/database';
import { AppError, type FieldError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { formatUsd } from '@tollgate/kernel/money';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { createPassKey, hashApiKey, partsOfApiKey } from '@tollgate/runtime/auth/api-key-format';
import { invalidToken } from '@tollgate/runtime/auth/token-refusals';
import type { Actor } from '@tollgate/runtime/http/requests/act';
import { invalidRequest } from '@tollgate/runtime/http/requests/invalid-request';
import { requireFuture } from '@tollgate/runtime/http/requests/require-future';
import type { ToolDirectory } from '../tools/tool-directory.ts';
import { changeAudited } from './audited-change.ts';
import { pausedPass, refuseTool, withAncestors, type Pass, type StoredPass } from './pass.ts';
import { toCap, toMicros, toToolIds } from './pass-values.ts';
import { requireTools } from './require-tools.ts';
import { countChildren, lockPasses, revokeExpiredChildren } from './sql-child-pass.ts';
import { insertPass, lockPassesOf } from './sql-pass.ts';

export interface CreateChildDeps {
  readonly tools: ToolDirectory;
  readonly clock: Clock;
  /** How many live passes an account may have that other passes made. */
  readonly passesMax: number;
}

export interface NewChild {
  /** The pass that asks, as memory has it. */
  readonly parent: Pass;
  /** Its key, as the request has it. */
  readonly key: string;
  readonly body: CreateChildPass;
  readonly by: Actor;
}

export interface CreatedChild {
  readonly child: Pass;
  readonly key: string;
}

/**
 * Makes a child of a pass, in the transaction of the caller. All above the child are locked, and read again: whoever revokes, pauses
 * or rotates one of them comes before, and is seen, or after, and finds the child. An account's passes are made one after the other, so the
 * bounds of their number hold for callers who race.
 */
export function createCreateChild({ tools, clock, passesMax }: CreateChildDeps) {
  return async function createChild(
    tx: Transaction,
    { parent: known, key, body, by }: NewChild,
  ): Promise<CreatedChild> {
    await requireTools(tools, body.tools);
    const nowMs = clock.now();
    requireFuture(body.expires_at, nowMs);
    await lockPassesOf(tx, known.accountId);
    const parent = await lockParent(tx, known, key);
    requireOpen(parent, nowMs);
    requireWithin(parent, body);
    await requireRoom(tx, parent, nowMs);
    const childKey = createPassKey();
    const child: StoredPass = {
      passId: uuidV7(nowMs),
      accountId: parent.accountId,
      ancestorIds: [...parent.ancestorIds, parent.passId],
      name: body.name ?? parent.name,
      toolIds: body.tools === '*' ? parent.toolIds : toToolIds(body.tools),
      isPaused: false,
      tags: parent.tags,
      ...partsOfApiKey(childKey),
      createdAtMs: nowMs,
      expiresAtMs: body.expires_at,
      cap: toCap(body.cap, nowMs),
      perCallMaxMicros: toMicros(body.per_call_max_usd),
      approveAboveMicros: undefined,
    };
    await changeAudited(tx, { action: 'pass.created', name: child, by }, () =>
      insertPass(tx, child, hashApiKey(childKey)),
    );
    return { child: withAncestors(child, [...parent.ancestors, parent]), key: childKey };
  };

  async function requireRoom(tx: Transaction, parent: Pass, nowMs: number): Promise<void> {
    if (parent.ancestors.length + 1 >= passLevelsMax)
      throw new AppError(
        'pass_too_deep',
        `A tree of passes has at most ${passLevelsMax} levels, and this is the last one.`,
      );
    await revokeExpiredChildren(tx, parent.passId, nowMs);
    const { children, all } = await countChildren(tx, parent);
    if (children >= passChildrenMax)
      throw new AppError(
        'too_many_passes',
        `A pass has at most ${passChildrenMax} live children. Let one expire first.`,
      );
    if (all >= passesMax)
      throw new AppError('too_many_passes', `The passes of an account have at most ${passesMax} live children in all.`);
  }
}

/** The earlier key of a rotated pass makes no children: they would outlast it. */
async function lockParent(tx: Transaction, { passId, accountId, ancestorIds }: Pass, key: string): Promise<Pass> {
  const chain = await lockPasses(tx, [...ancestorIds, passId], accountId);
  const own = chain.at(-1);
  if (own === undefined || chain.length <= ancestorIds.length)
    throw invalidToken('the pass was revoked while its request was read');
  if (!hashApiKey(key).equals(own.keyHash))
    throw new AppError('pass_refused', 'This key was replaced by a newer one, which alone makes children of the pass.');
  return withAncestors(
    own.pass,
    chain.slice(0, -1).map(({ pass }) => pass),
  );
}

function requireOpen(parent: Pass, nowMs: number): void {
  if (parent.isPaused) throw pausedPass();
  if (parent.expiresAtMs !== undefined && nowMs >= parent.expiresAtMs) throw invalidToken('the pass has expired');
}

/** Throws 400 that names each bound that is wider than that of the parent. */
function requireWithin(
  parent: Pass,
  { tools, expires_at: expiresAtMs, per_call_max_usd: perCall }: CreateChildPass,
): void {
  const { expiresAtMs: endMs, perCallMaxMicros: mostMicros } = parent;
  const errors = toolsOutside(parent, tools);
  if (endMs !== undefined && expiresAtMs > endMs)
    errors.push({
      pointer: '/expires_at',
      code: 'after_parent',
      message: `must be no later than ${new Date(endMs).toISOString()}, when your own pass expires`,
    });
  if (mostMicros !== undefined && perCall !== undefined && toMicros(perCall) > mostMicros)
    errors.push({
      pointer: '/per_call_max_usd',
      code: 'above_parent',
      message: `must be at most ${formatUsd(mostMicros)} USD, which your own pass allows for a call`,
    });
  if (errors.length > 0) throw invalidRequest('A child of a pass is allowed no more than the pass.', errors);
}

function toolsOutside(parent: Pass, tools: CreateChildPass['tools']): FieldError[] {
  const [code, message] = ['not_in_parent', 'must be a tool that your own pass allows'];
  if (tools === '*') return parent.toolIds?.length === 0 ? [{ pointer: '/tools', code, message }] : [];
  return tools.flatMap((toolId, index) =>
    refuseTool(parent, toolId) === undefined ? [] : [{ pointer: `/tools/${index}`, code, message }],
  );
}
