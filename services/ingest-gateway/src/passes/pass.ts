import { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';

/** A key that a consumer hands out, as its row says. It may be a part of another one: then that bounds it, too. */
export interface StoredPass {
  readonly passId: string;
  /** The account that pays. */
  readonly accountId: string;
  /** The passes that it is a part of, the root first; empty for a pass that its account made. */
  readonly ancestorIds: readonly string[];
  readonly name: string;
  /** Undefined: every tool. */
  readonly toolIds: readonly string[] | undefined;
  readonly isPaused: boolean;
  readonly tags: Readonly<Record<string, string>>;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly cap: PassCap | undefined;
  /** A call that can come to more is refused. */
  readonly perCallMaxMicros: Micros | undefined;
  /** A call that can come to more is authorized once its owner has approved it. */
  readonly approveAboveMicros: Micros | undefined;
}

/** A pass as it counts for a call: with the bounds of all that it is a part of. */
export interface Pass extends StoredPass {
  /** The root first. Their caps hold the money of its calls, too. */
  readonly ancestors: readonly StoredPass[];
}

const none: readonly StoredPass[] = [];

/** An ancestor that is changed later bounds what is below it from then on, so this is asked at each call. */
export function withAncestors(pass: StoredPass, ancestors: readonly StoredPass[]): Pass {
  if (ancestors.length === 0) return { ...pass, ancestors: none };
  const chain = [...ancestors, pass];
  return {
    ...pass,
    ancestors,
    toolIds: chain.map(({ toolIds }) => toolIds).reduce(toolsOfBoth),
    isPaused: chain.some(({ isPaused }) => isPaused),
    expiresAtMs: leastOf(chain.map(({ expiresAtMs }) => expiresAtMs)),
    perCallMaxMicros: leastOf(chain.map(({ perCallMaxMicros }) => perCallMaxMicros)),
    approveAboveMicros: leastOf(chain.map(({ approveAboveMicros }) => approveAboveMicros)),
  };
}

export function ancestorIdsOf(pass: StoredPass | undefined): readonly string[] {
  return pass?.ancestorIds ?? [];
}

type Tools = StoredPass['toolIds'];

function toolsOfBoth(left: Tools, right: Tools): Tools {
  if (left === undefined || right === undefined) return left ?? right;
  return right.filter((toolId) => left.includes(toolId));
}

/** Undefined is no bound. */
function leastOf<T extends number | bigint>(bounds: readonly (T | undefined)[]): T | undefined {
  return bounds.reduce((least, one) => (least === undefined || (one !== undefined && one < least) ? one : least));
}

/** The most that calls with a pass may come to in a window. */
export interface PassCap {
  readonly amountMicros: Micros;
  readonly window: 'day' | 'month' | 'total';
  /** Since when the pass has a cap of this window. */
  readonly changedAtMs: number;
}

/** The refusal of a bearer whose pass its owner has paused. */
export function pausedPass(): AppError {
  return new AppError('pass_refused', 'Its owner has paused this pass.');
}

/** The refusal of a tool that the pass does not name; undefined if it allows the tool. */
export function refuseTool({ toolIds }: StoredPass, toolId: string): AppError | undefined {
  if (toolIds === undefined || toolIds.includes(toolId)) return undefined;
  return new AppError('tool_not_allowed', 'The pass does not allow this tool. Its owner can add it.');
}
