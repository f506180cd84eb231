import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { createOwnAddress } from '@tollgate/runtime/http/requests/own-address';
import type { Config } from '../config.ts';
import { createCreateEmbed } from './create-embed.ts';
import { embedsController } from './embeds.controller.ts';

interface Deps {
  readonly api: Database;
  readonly clock: Pick<Clock, 'now'>;
  /** Embeds live by it. */
  readonly realTime: Pick<Clock, 'now'>;
}

/** Pages of the console that an account shows inside a product of its own. Billing serves them. */
export function wireEmbeds({ PUBLIC_URL: publicUrl }: Config, deps: Deps) {
  const ownAddressOf = createOwnAddress(publicUrl);
  return { controllers: [embedsController({ ...deps, ownAddressOf, createEmbed: createCreateEmbed(deps) })] };
}
