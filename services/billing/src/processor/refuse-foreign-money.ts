import { ConfigError } from '@tollgate/runtime/config/config-error';
import type { Service } from '@tollgate/kernel/service';
import type { Database } from '@tollgate/database/database';
import { findOtherProcessor } from './sql-attempts.ts';

export interface ForeignMoneyDeps {
  readonly database: Database;
  /** The one that is set. */
  readonly processor: string;
}

/**
 * Refuses to start on books whose money another processor moved: what the sandbox collected was never there, and a payout of
 * it at Stripe would be. Nor could that one's open orders ever be looked up.
 */
export function refuseForeignMoney({ database, processor }: ForeignMoneyDeps): Service {
  return {
    name: 'refuse-foreign-money',
    async start() {
      const other = await findOtherProcessor(database, processor);
      if (other === undefined) return;
      const message = `is ${processor}, but money in this database was moved by ${other}; use it with ${other}, or begin with an empty database`;
      throw new ConfigError([{ name: 'PROCESSOR', message }]);
    },
    stop: async () => undefined,
  };
}
