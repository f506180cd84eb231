import type { Clock } from '@tollgate/kernel/clock';
import type { Database } from '@tollgate/database/database';
import { createCutOffAccount } from './cut-off-account.ts';
import { cutOffController } from './cut-off.controller.ts';

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Clock;
  readonly credentialsChanged: () => Promise<void>;
}

/** Wires the operator's routes that cut an account off, or end its credentials. */
export function wireCutOff(deps: Deps) {
  return { controllers: [cutOffController(createCutOffAccount(deps))] };
}
