import type { ApiPass } from '@tollgate/contracts/passes';
import { toIso } from '@tollgate/kernel/clock';
import type { Pass } from './pass.ts';

export function toApiPass(pass: Pass): ApiPass {
  return {
    id: pass.passId,
    name: pass.name,
    tools: pass.toolIds === undefined ? '*' : [...pass.toolIds],
    paused: pass.isPaused,
    tags: { ...pass.tags },
    prefix: pass.prefix,
    last_four: pass.lastFour,
    created_at: toIso(pass.createdAtMs),
    expires_at: pass.expiresAtMs === undefined ? null : toIso(pass.expiresAtMs),
  };
}
