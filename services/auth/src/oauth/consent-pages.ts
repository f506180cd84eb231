import type { OAuthPageAnswer } from '@tollgate/contracts/accounts/oauth';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { InteractionResults, Provider } from 'oidc-provider';
import { asSession } from '../accounts/as-session.ts';
import type { EndSession } from '../sessions/end-session.ts';
import type { ConsentTo } from './consent-to.ts';
import type { Exchange } from './exchange.ts';
import type { ConsentFacts, GatherConsent } from './gather-consent.ts';
import type { InteractionCookie } from './interaction-cookie.ts';
import { planAllowance, toolField } from './plan-allowance.ts';
import { firstFields, renderConsent, type ConsentFields } from './render-consent.ts';
import type { SignInPages } from './sign-in-pages.ts';
import type { SignInState, SignInStates } from './sign-in-state.ts';

interface Deps {
  readonly provider: () => Provider;
  readonly clock: Pick<Clock, 'now'>;
  readonly states: SignInStates;
  readonly cookie: InteractionCookie;
  readonly gatherConsent: GatherConsent;
  readonly consentTo: ConsentTo;
  readonly endSession: EndSession;
  readonly signInPages: Pick<SignInPages<Exchange>, 'show'>;
}

export interface ConsentPages {
  show(exchange: Exchange): Promise<void>;
  allow(exchange: Exchange, form: OAuthPageAnswer): Promise<void>;
  refuse(exchange: Exchange): Promise<void>;
}

type DoneState = Extract<SignInState, { stage: 'done' }>;

export function createConsentPages(deps: Deps): ConsentPages {
  const { provider, clock, states, cookie, gatherConsent, consentTo, endSession, signInPages } = deps;

  /** Without a sign-in there is its page. */
  function signedIn(work: (exchange: Exchange, state: DoneState, form: OAuthPageAnswer) => Promise<void>) {
    return async (exchange: Exchange, form: OAuthPageAnswer): Promise<void> => {
      if (exchange.state?.stage === 'done') await work(exchange, exchange.state, form);
      else await signInPages.show(exchange);
    };
  }

  function send({ response, browser }: Exchange, { facts, ...rest }: Shown): void {
    const path = cookie.pathOf(browser.uid);
    const view = { facts, formToken: states.formToken(browser), path, problem: undefined, ...rest };
    const status = view.problem === undefined ? 200 : 400;
    sendPage(response, { status, html: renderConsent(view), formTarget: { returnUrl: facts.redirectUri } });
  }

  async function finish({ request, response, browser }: Exchange, result: InteractionResults): Promise<void> {
    await states.end(browser);
    cookie.clear(response, browser.uid);
    await provider().interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  async function allow(exchange: Exchange, state: DoneState, form: OAuthPageAnswer): Promise<void> {
    const { accountId, sessionId, email } = state;
    const facts = await gatherConsent(accountId, exchange.params);
    const toolIds = facts.tools.map(({ toolId }) => toolId);
    const plan = planAllowance(form, { toolIds, nowMs: clock.now() });
    const fields: ConsentFields = { ...form, toolIds: toolIds.filter((toolId) => toolField(toolId) in form) };
    if ('problem' in plan) return send(exchange, { facts, fields, email, problem: plan.problem });
    const { clientId, clientName, resource } = facts;
    const consent = { accountId, sessionId, clientId, clientName, resource, allowance: plan.allowance };
    const outcome = await consentTo(consent, actorOf(exchange.request)).catch(mendable);
    if (outcome instanceof AppError) {
      if (outcome.code !== 'unauthorized') return send(exchange, { facts, fields, email, problem: outcome.message });
      return signInPages.show({ ...exchange, state: undefined }, { email, problem: 'The sign-in has ended.' });
    }
    const login = { accountId, remember: false };
    await finish(exchange, { login, select_account: {}, consent: { grantId: outcome } });
  }

  return {
    async show(exchange) {
      const { state, params } = exchange;
      if (state?.stage !== 'done') return signInPages.show(exchange);
      const facts = await gatherConsent(state.accountId, params);
      send(exchange, { facts, fields: firstFields(facts), email: state.email });
    },
    allow: signedIn(allow),
    async refuse(exchange) {
      const { state, request } = exchange;
      if (state?.stage === 'done') await endSession(state, asSession(actorOf(request), state));
      await finish(exchange, { error: 'access_denied', error_description: 'The person refused.' });
    },
  };
}

interface Shown {
  readonly facts: ConsentFacts;
  readonly fields: ConsentFields;
  readonly email: string;
  readonly problem?: string;
}

const mendableCodes: readonly string[] = ['unauthorized', 'account_suspended', 'too_many_passes', 'invalid_request'];

function mendable(error: unknown): AppError {
  if (error instanceof AppError && mendableCodes.includes(error.code)) return error;
  throw error;
}
