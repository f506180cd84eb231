import type { Tollgate } from '@tollgate/sdk';

import { NewestMap } from './newest-map.ts';
import { spendScope, toolScope } from './scopes.ts';

/** A pass, as `tokenVerifier` and the proxy have found it. */
export interface ScopedPass {
  readonly passId: string;
  readonly tools: '*' | readonly string[];
  /** Its key was sent, and no OAuth token of it: then there is no consent that could be asked for. */
  readonly isKey: boolean;
}

/** The scopes that the token should have. Undefined: it has them, or its client was told of them a moment ago. */
export type FindMissingScope = (pass: ScopedPass, tool: string) => string | undefined;

/**
 * A client that already has a refresh token may refresh in place of asking its person, and try again with the same scopes for
 * ever. So it is told once within this time, and gets the sentence of the refused call then.
 */
const toldForMs = 60_000;
const toldMax = 10_000;

export function createFindMissingScope(nowMs: () => number): FindMissingScope {
  const told = new NewestMap<number>(toldMax);
  return function findMissingScope({ passId, tools, isKey }, tool) {
    if (isKey || tools === '*' || tools.includes(tool)) return undefined;
    const name = `${passId} ${tool}`;
    const isTold = (told.get(name) ?? Number.NEGATIVE_INFINITY) > nowMs() - toldForMs;
    if (isTold) return undefined;
    told.set(name, nowMs());
    // Clients ask for what the last challenge names, and for nothing else.
    return [spendScope, ...[...tools, tool].map(toolScope)].join(' ');
  };
}

/** Whether a consent for this server can allow the tool: it is there, and names the server. */
export async function isOfResource(tollgate: Tollgate, tool: string, resource: string): Promise<boolean> {
  const { archived, resource: named } = await tollgate.tools.get(tool);
  return !archived && named === resource;
}
