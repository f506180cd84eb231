import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import type { Config } from '../config.ts';
import { createChangeOperatorTokens } from './change-operator-tokens.ts';
import { operatorTokensController } from './operator-tokens.controller.ts';

interface Deps {
  readonly worker: Database;
  readonly realTime: Pick<Clock, 'now'>;
  readonly credentialsChanged: () => Promise<void>;
}

/** Wires the operator's routes for the operator's own tokens. */
export function wireOperatorTokens(config: Config, deps: Deps) {
  const isConfigured = config.OPERATOR_TOKEN !== undefined;
  const change = createChangeOperatorTokens(deps);
  return { controllers: [operatorTokensController({ ...deps, isConfigured, change })] };
}
