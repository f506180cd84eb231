import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { oauthPageAnswerSchema, type OAuthPageAnswer } from '@tollgate/contracts/accounts/oauth';
import { AppError } from '@tollgate/kernel/app-error';
import { unreachable } from '@tollgate/kernel/unreachable';
import { paramsOf } from '@tollgate/runtime/http/requests/request-context';
import { readForm } from '@tollgate/runtime/pages/read-form';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { Request, Response } from 'express';
import { errors, type Provider } from 'oidc-provider';
import type { ConsentPages } from './consent-pages.ts';
import type { Exchange } from './exchange.ts';
import type { InteractionCookie } from './interaction-cookie.ts';
import { renderInteractionGone } from './render-sign-in.ts';
import type { SignInPages } from './sign-in-pages.ts';
import type { SignInStates } from './sign-in-state.ts';

interface UseCases {
  /** Throws `not_found` where OAuth is off. */
  readonly provider: () => Provider;
  readonly cookie: InteractionCookie;
  readonly states: SignInStates;
  readonly signInPages: SignInPages<Exchange>;
  readonly consentPages: ConsentPages;
}

/** A consent with a hundred tools. */
const formLimits = { maxBytes: 16_384 };

/** The pages of an interaction: sign-in, sign-up, second factor, consent. Each form has the token of its page and browser. */
export function oauthPageController({ provider, cookie, states, signInPages, consentPages }: UseCases) {
  @Controller('oauth/interaction')
  class OAuthPageController {
    @Get(':uid')
    async show(@Req() request: Request, @Res() response: Response): Promise<void> {
      const exchange = await open(request, response);
      if (exchange === undefined) sendGone(response);
      else if (exchange.state?.stage === 'done') await consentPages.show(exchange);
      else await signInPages.show(exchange);
    }

    @Post(':uid')
    async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
      const exchange = await open(request, response);
      if (exchange === undefined) return sendGone(response);
      const form = await readForm(request, oauthPageAnswerSchema, formLimits);
      if (!states.isFormToken(exchange.browser, form.form))
        throw new AppError('forbidden', 'The form is not that of this page. Load the page again.');
      await act(exchange, form);
    }
  }
  return OAuthPageController;

  async function open(request: Request, response: Response): Promise<Exchange | undefined> {
    const interaction = await provider().interactionDetails(request, response).catch(undefinedIfGone);
    if (interaction === undefined || interaction.uid !== paramsOf(request)['uid']) return undefined;
    const browser = { uid: interaction.uid, secret: cookie.read(request) };
    const state = await states.find(browser);
    // A cookie of a sign-in that has ended is as good as none, also for the forms.
    const known = state === undefined ? { uid: browser.uid, secret: undefined } : browser;
    return { request, response, browser: known, params: interaction.params, state };
  }

  function act(exchange: Exchange, form: OAuthPageAnswer): Promise<void> {
    switch (form.answer) {
      case 'allow':
        return consentPages.allow(exchange, form);
      case 'refuse':
        return consentPages.refuse(exchange);
      case 'sign_in':
        return signInPages.signIn(exchange, form);
      case 'sign_up':
        return signInPages.signUp(exchange, form);
      case 'code':
        return signInPages.enterCode(exchange, form);
      case 'sign_out':
        return signInPages.signOut(exchange);
      case 'show_sign_in':
      case 'show_sign_up':
        return signInPages.show(exchange, { ...form, page: form.answer });
      default:
        return unreachable(form.answer);
    }
  }
}

function undefinedIfGone(error: unknown): undefined {
  if (!(error instanceof errors.SessionNotFound)) throw error;
}

function sendGone(response: Response): void {
  sendPage(response, { status: 404, html: renderInteractionGone() });
}
