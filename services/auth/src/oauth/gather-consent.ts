import type { SpendDetail } from '@tollgate/contracts/accounts/oauth';
import { canonicalResource } from '@tollgate/contracts/forms/resource';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { AppError } from '@tollgate/kernel/app-error';
import type { Provider } from 'oidc-provider';
import type { Allowance } from './allowance.ts';
import { redirectTargetOf, type RedirectTarget } from './redirect-target.ts';
import { toolsOfScope } from './scopes.ts';
import { readSpendDetail } from './spend-detail.ts';
import { findGrantOf, findLiveGrant } from './sql-oauth-grant.ts';
import { hostOf } from './host-of.ts';
import {
  hasOwnMeans,
  readOwnBudget,
  readToolsOfResource,
  type OwnBudget,
  type ResourceTool,
} from './sql-resource-tool.ts';

/** All that the page of a consent shows. */
export interface ConsentFacts {
  readonly clientId: string;
  readonly clientName: string;
  /** The host that the client says it belongs to. Nobody has verified it. */
  readonly clientHost: string | undefined;
  readonly redirectUri: string;
  readonly target: RedirectTarget;
  readonly resource: string;
  readonly tools: readonly ResourceTool[];
  readonly asked: SpendDetail | undefined;
  /** The tools that a challenge of the server named. */
  readonly named: readonly string[];
  /** The limits of an earlier consent, which this one changes. */
  readonly earlier: Allowance | undefined;
  readonly budget: OwnBudget | undefined;
  /** Whether the account has a card, or a balance or credit left. */
  readonly hasMeans: boolean;
}

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly provider: () => Provider;
}

export type GatherConsent = (accountId: string, params: Readonly<Record<string, unknown>>) => Promise<ConsentFacts>;

export function createGatherConsent({ api, worker, clock, provider }: Deps): GatherConsent {
  return async function gatherConsent(accountId, params) {
    const [clientId, redirectUri] = [String(params['client_id']), String(params['redirect_uri'])]; // the library has checked them
    const resource = canonicalResource(String(params['resource']));
    const client = await provider().Client.find(clientId);
    if (client === undefined || resource === undefined)
      throw new AppError('not_found', 'The program has gone. Connect it again.');
    const nowMs = clock.now();
    const { grantId, budget, hasMeans } = await api.transaction(
      async (tx) => ({
        grantId: (await findGrantOf(tx, { accountId, clientId, resource }))?.grantId,
        budget: await readOwnBudget(tx),
        hasMeans: await hasOwnMeans(tx, nowMs),
      }),
      { accountId },
    );
    return {
      clientId,
      clientName: client.clientName ?? 'A program without a name',
      clientHost: hostOf(clientId) ?? hostOf(client.clientUri),
      redirectUri,
      target: redirectTargetOf(redirectUri),
      resource,
      tools: await readToolsOfResource(worker, resource, nowMs),
      asked: readSpendDetail(params['authorization_details']),
      named: toolsOfScope(typeof params['scope'] === 'string' ? params['scope'] : undefined),
      earlier: grantId === undefined ? undefined : (await findLiveGrant(worker, grantId, nowMs))?.allowance,
      budget,
      hasMeans,
    };
  };
}
