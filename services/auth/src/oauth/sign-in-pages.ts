import type { OAuthPageAnswer } from '@tollgate/contracts/accounts/oauth';
import { AppError } from '@tollgate/kernel/app-error';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import { asSession } from '../accounts/as-session.ts';
import type { PresentedFactor } from '../accounts/begin-session.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { EndSession } from '../sessions/end-session.ts';
import type { PageExchange } from './exchange.ts';
import type { InteractionCookie } from './interaction-cookie.ts';
import { renderSecondFactor, renderSignIn, renderSignUp } from './render-sign-in.ts';
import type { SignInPerson } from './sign-in-person.ts';
import type { SignInState, SignInStates } from './sign-in-state.ts';

interface Deps<E extends PageExchange> {
  readonly throttle: Pick<SignInThrottle, 'admitLogin' | 'admitPasswordTry' | 'admitRegistration'>;
  readonly states: SignInStates;
  readonly cookie: InteractionCookie;
  readonly signInPerson: SignInPerson;
  readonly endSession: EndSession;
  /** The name of what asks. */
  readonly nameOfClient: (exchange: E) => Promise<string>;
  /** Undefined: only who has an account can answer. */
  readonly offersSignUp?: true;
  readonly resetUrl: string | undefined;
}

interface Shown {
  readonly page?: 'show_sign_in' | 'show_sign_up';
  readonly email?: string;
  readonly problem?: string;
}

type SignInForm = Pick<OAuthPageAnswer, 'email' | 'password' | 'code'>;

export interface SignInPages<E extends PageExchange> {
  show(exchange: E, shown?: Shown): Promise<void>;
  signIn(exchange: E, form: SignInForm): Promise<void>;
  signUp(exchange: E, form: SignInForm): Promise<void>;
  enterCode(exchange: E, form: SignInForm): Promise<void>;
  /** Ends the sign-in of this interaction, so that another account may sign in. */
  signOut(exchange: E): Promise<void>;
}

export function createSignInPages<E extends PageExchange>(deps: Deps<E>): SignInPages<E> {
  const { throttle, states, cookie, signInPerson, endSession, nameOfClient, offersSignUp = false, resetUrl } = deps;

  async function show(exchange: E, shown: Shown = {}): Promise<void> {
    const { response, browser, state } = exchange;
    const { page = 'show_sign_in', email = '', problem } = shown;
    const view = { formToken: states.formToken(browser), problem };
    const status = problem === undefined ? 200 : 403;
    if (state?.stage === 'code') {
      const html = renderSecondFactor({ ...view, email: state.email });
      return sendPage(response, { status, html, formTarget: 'self' });
    }
    const render = page === 'show_sign_up' ? renderSignUp : renderSignIn;
    const html = render({ ...view, email, offersSignUp, resetUrl, clientName: await nameOfClient(exchange) });
    sendPage(response, { status, html, formTarget: 'self' });
  }

  /** Goes on with the next page, or shows this one again with what the person can mend. */
  async function step(exchange: E, shown: Shown, work: () => Promise<SignInState>): Promise<void> {
    const { browser, response } = exchange;
    try {
      cookie.set(response, browser.uid, await states.begin(browser.uid, await work()));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === undefined) throw error;
      return show(exchange, { ...shown, problem });
    }
    await states.end(browser);
    goOn(exchange);
  }

  /** A page of its own answers each form, so that going back and loading again repeat nothing. */
  function goOn({ response, browser }: E): void {
    response.writeHead(303, { location: cookie.pathOf(browser.uid), 'content-length': 0 }).end();
  }

  return {
    show,
    async signIn(exchange, { email: typed, password }) {
      const email = typed.trim().toLowerCase();
      const address = clientAddressOf(exchange.request);
      await throttle.admitLogin(address);
      await throttle.admitPasswordTry({ account: email, address });
      const by = actorOf(exchange.request);
      await step(exchange, { email }, () => signInPerson.signIn({ email, password }, by));
    },
    async signUp(exchange, { email, password }) {
      await throttle.admitRegistration(clientAddressOf(exchange.request));
      const by = actorOf(exchange.request);
      await step(exchange, { email, page: 'show_sign_up' }, () => signInPerson.signUp({ email, password }, by));
    },
    async enterCode(exchange, { code }) {
      const { state, request } = exchange;
      if (state?.stage !== 'code') return goOn(exchange);
      await throttle.admitLogin(clientAddressOf(request));
      await step(exchange, {}, () => signInPerson.enterCode(state, toFactor(code), actorOf(request)));
    },
    async signOut(exchange) {
      const { request, response, browser, state } = exchange;
      if (state?.stage === 'done') await endSession(state, asSession(actorOf(request), state));
      await states.end(browser);
      cookie.clear(response, browser.uid);
      goOn(exchange);
    },
  };
}

const problems: Partial<Record<string, string>> = {
  invalid_credentials: 'The e-mail or the password is wrong.',
  invalid_second_factor: 'The code is wrong, or it was used before.',
  account_suspended: 'This account is suspended.',
  email_taken: 'There is an account with this e-mail. Sign in instead.',
};

/** The refusals that the person can mend. Undefined for any other error. */
function problemOf(error: unknown): string | undefined {
  if (!(error instanceof AppError)) return undefined;
  return error.code === 'invalid_request' ? error.message : problems[error.code];
}

/** People type either code into one field. */
function toFactor(code: string): PresentedFactor {
  const typed = code.replaceAll(/\s/g, '');
  return /^\d{6}$/.test(typed) ? { totpCode: typed } : { recoveryCode: typed };
}
