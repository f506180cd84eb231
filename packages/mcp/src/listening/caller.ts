import type { ScopedPass } from '../missing-scope.ts';

/** A caller with a pass, to which its sessions and tasks belong. Others are undefined. */
export interface Caller extends ScopedPass {
  /** The bearer token, which pays: the key of the pass, or an OAuth token, which changes every hour. */
  readonly bearer: string;
}
