import { canonicalResource } from '@tollgate/contracts/forms/resource';
import type { Database } from '@tollgate/database/database';
import type { Clock } from '@tollgate/kernel/clock';
import { createSealedBox } from '@tollgate/kernel/sealed-box';
import { issuerOf } from '@tollgate/runtime/auth/issuer-of';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import type { OutgoingFetch } from '@tollgate/runtime/outgoing/create-outgoing-fetch';
import type { JSONWebKeySet } from 'jose';
import type { SignInSteps } from '../accounts/begin-session.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { RecordRefusals } from '../accounts/record-refusals.ts';
import type { RegisterAccount } from '../accounts/register-account.ts';
import type { Config } from '../config.ts';
import type { EndSession } from '../sessions/end-session.ts';
import type { KeyRing } from '../signing-keys/key-ring.ts';
import { consentsController } from './consents.controller.ts';
import { createConsentPages } from './consent-pages.ts';
import { createConsentTo } from './consent-to.ts';
import { createAdapterFactory } from './create-adapter.ts';
import type { ProviderHooks } from './create-provider.ts';
import { createEndConsent } from './end-consent.ts';
import { createGatherConsent } from './gather-consent.ts';
import type { Exchange } from './exchange.ts';
import { createInteractionCookie } from './interaction-cookie.ts';
import { createJudgeToken } from './judge-token.ts';
import { createKeepOneSuccessor } from './keep-one-successor.ts';
import { oauthPageController } from './oauth-page.controller.ts';
import { createProviderHost } from './provider-host.ts';
import { spendScope, toolScope } from './scopes.ts';
import { createServeOAuth, oauthIsOff } from './serve-oauth.ts';
import { createSignInPages } from './sign-in-pages.ts';
import { createSignInPerson } from './sign-in-person.ts';
import { createSignInStates } from './sign-in-state.ts';
import { toSpendDetail } from './spend-detail.ts';
import { findLiveGrant } from './sql-oauth-grant.ts';
import { readToolsOfResource } from './sql-resource-tool.ts';

interface Deps {
  readonly api: Database;
  readonly worker: Database;
  readonly clock: Clock;
  /** The library goes by it, and codes and refresh tokens live by it. */
  readonly realTime: Pick<Clock, 'now'>;
  readonly log: Logger;
  readonly keyRings: { readonly oauth: KeyRing };
  readonly throttle: SignInThrottle;
  readonly signInSteps: SignInSteps;
  readonly recordRefusals: RecordRefusals;
  readonly resetUrl: string | undefined;
  readonly registerAccount: RegisterAccount;
  readonly endSession: EndSession;
  readonly isSuspended: (accountId: string) => boolean;
  readonly refuseSuspended: (accountId: string) => void;
  readonly credentialsChanged: () => Promise<void>;
  readonly outgoingFetch: OutgoingFetch;
}

export function wireOAuth(config: Config, deps: Deps) {
  const issuer = issuerOf(config.PUBLIC_URL);
  const registers = config.OAUTH_DYNAMIC_REGISTRATION === 'on';
  const host = issuer === undefined ? undefined : wireProvider(config, { ...deps, issuer, registers });
  const served = { host, issuer: issuer ?? '', registers, throttle: deps.throttle };
  const provider = () => {
    if (host === undefined) throw oauthIsOff();
    return host.provider();
  };
  const pages = wirePages(config, { ...deps, provider, issuer: served.issuer });
  const consents = consentsController({ ...deps, endConsent: createEndConsent(deps) });
  return { serve: createServeOAuth(served), controllers: [oauthPageController(pages), consents] };
}

type WithIssuer<T> = Deps & T & { readonly issuer: string };

function wireProvider(config: Config, deps: WithIssuer<{ readonly registers: boolean }>) {
  const { worker, keyRings, outgoingFetch, throttle } = deps;
  const documents = { isOn: config.OAUTH_CLIENT_ID_METADATA === 'on', outgoingFetch, throttle };
  const endConsent = createEndConsent(deps);
  const secret = config.AUTH_KEY_ENCRYPTION_SECRET;
  const box = createSealedBox({ secret, purpose: 'refresh-token' });
  const publishedKeys = () => keyRings.oauth.published() as JSONWebKeySet; // as we generated them
  const finish = {
    keepOneSuccessor: createKeepOneSuccessor({ worker, box }),
    judgeToken: createJudgeToken({ ...deps, publishedKeys }),
    endConsent,
  };
  const adapter = createAdapterFactory({ ...deps, endConsent });
  return createProviderHost(
    { ...deps, documents, secret, adapter, finish, hooks: createHooks(deps) },
    keyRings.oauth.current,
  );
}

function createHooks({ worker, clock, isSuspended }: Deps): ProviderHooks {
  const liveGrant = (grantId: string) => findLiveGrant(worker, grantId, clock.now());
  return {
    isPaused: async (grantId) => (await liveGrant(grantId))?.isPaused ?? false,
    findAccount: (accountId) => (isSuspended(accountId) ? undefined : { accountId }),
    async findResource(text) {
      const name = canonicalResource(text);
      const tools = name === undefined ? [] : await readToolsOfResource(worker, name, clock.now());
      if (name === undefined || tools.length === 0) return undefined;
      return { name, scope: [spendScope, ...tools.map(({ toolId }) => toolScope(toolId))].join(' ') };
    },
    findPassId: async (grantId) => (await liveGrant(grantId))?.passId,
    async grantedDetails(grantId) {
      const grant = grantId === undefined ? undefined : await liveGrant(grantId);
      return grant && toSpendDetail(grant.allowance);
    },
  };
}

function wirePages(
  config: Config,
  deps: WithIssuer<{ readonly provider: Parameters<typeof createGatherConsent>[0]['provider'] }>,
) {
  const { provider, issuer } = deps;
  const parts = {
    ...deps,
    cookie: createInteractionCookie(issuer, '/oauth/interaction'),
    states: createSignInStates({ ...deps, secret: config.AUTH_KEY_ENCRYPTION_SECRET }),
    signInPerson: createSignInPerson({ ...deps, by: 'oauth' }),
    nameOfClient: async ({ params }: Exchange) =>
      (await provider().Client.find(String(params['client_id'])))?.clientName ?? 'A program without a name',
    offersSignUp: true,
  } as const;
  const signInPages = createSignInPages(parts);
  const consentTo = createConsentTo({ ...deps, passesMax: config.PASSES_PER_ACCOUNT_MAX });
  const consentPages = createConsentPages({
    ...parts,
    consentTo,
    gatherConsent: createGatherConsent(deps),
    signInPages,
  });
  return { ...parts, signInPages, consentPages };
}
