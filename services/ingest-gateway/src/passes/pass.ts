import { AppError } from '@tollgate/kernel/app-error';
import type { Micros } from '@tollgate/kernel/money';

/** A key that a consumer hands out: it records events of its tools on the consumer's account. */
export interface Pass {
  readonly passId: string;
  /** The account that pays. */
  readonly accountId: string;
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
export function refuseTool({ toolIds }: Pass, toolId: string): AppError | undefined {
  if (toolIds === undefined || toolIds.includes(toolId)) return undefined;
  return new AppError('tool_not_allowed', 'The pass does not allow this tool. Its owner can add it.');
}
