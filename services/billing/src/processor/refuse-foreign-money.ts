import { ConfigError } from '@tollgate/runtime/config/config-error';
import type { Service } from '@tollgate/kernel/service';
import type { Database } from '@tollgate/database/database';
import { findOtherProcessor } from './sql-attempts.ts';

export interface ForeignMoneyDeps {
  readonly database: Database;
  /** The processor that the settings name. */
  readonly processor: string;
}

/**
 * Refuses to start on books whose money another processor moved. Stripe would pay out money that the sandbox only
 * seemed to collect. Nor could this processor look up the other's open orders.
 */
export function refuseForeignMoney({ database, processor }: ForeignMoneyDeps): Service {
  return {
    name: 'refuse-foreign-money',
    async start() {
      const foreign = await findOtherProcessor(database, processor);
      if (foreign === undefined) return;
      const message = `is ${processor}, but money in this database was moved by ${foreign}; use it with ${foreign}, or begin with an empty database`;
      throw new ConfigError([{ name: 'PROCESSOR', message }]);
    },
    stop: async () => undefined,
  };
}
