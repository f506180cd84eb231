import type { ToolCall } from './to-event.ts';

/** The code of a call that was not recorded, since nobody can say how it ended. */
export const endUnknown = 'end_unknown';

/** Says what became of a call whose event Tollgate refused for good. */
export function refusalMessage(
  { tool, timestamp }: Pick<ToolCall, 'tool' | 'timestamp'>,
  { code, detail }: { readonly code: string; readonly detail: string },
): string {
  const time = timestamp instanceof Date ? timestamp.toISOString() : timestamp;
  const call = time === undefined ? `a call of ${tool}` : `the call of ${tool} at ${time}`;
  if (code === endUnknown) return `Nobody pays for ${call}: ${detail}`;
  const late =
    code === 'authorization_not_open' ? ' Its event came when the money that was held for it was free again.' : '';
  return `Nobody pays for ${call}: Tollgate refused its event.${late} ${code}: ${detail}`;
}
