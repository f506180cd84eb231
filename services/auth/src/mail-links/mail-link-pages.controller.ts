import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { emailSchema } from '@tollgate/contracts/accounts/accounts';
import {
  emailConfirmationFormSchema,
  mailLinkQuerySchema,
  passwordResetFormSchema,
  type PasswordResetForm,
} from '@tollgate/contracts/accounts/mail-links';
import { AppError } from '@tollgate/kernel/app-error';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { parseQuery } from '@tollgate/runtime/http/requests/parse';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { readForm } from '@tollgate/runtime/pages/read-form';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { Request, Response } from 'express';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { toFactor } from '../accounts/to-factor.ts';
import type { ConfirmAddress } from './confirm-address.ts';
import {
  renderAsked,
  renderAskForReset,
  renderConfirm,
  renderConfirmed,
  renderLinkGone,
  renderNoMail,
  renderReset,
  renderResetDone,
} from './render-mail-link.ts';
import type { ResetPassword, ResetTarget } from './reset-password.ts';

interface UseCases {
  readonly throttle: Pick<SignInThrottle, 'admitLetter' | 'admitLogin'>;
  readonly resetPassword: ResetPassword;
  readonly confirmAddress: ConfirmAddress;
  /** Whether there is mail. */
  readonly hasMail: boolean;
}

/** The pages behind the links of mails. A form has the secret of its link, which no page of another site can know. */
export function mailLinkPagesController({ throttle, resetPassword, confirmAddress, hasMail }: UseCases) {
  @Controller()
  class MailLinkPagesController {
    @Get('password-reset')
    async showReset(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { token } = parseQuery(mailLinkQuerySchema, request.url);
      const target = token === '' ? undefined : await resetPassword.find(token);
      if (target !== undefined) showSet(response, { ...target, token });
      else if (token === '') showAsk(response, hasMail);
      else sendGone(response);
    }

    @Post('password-reset')
    async answerReset(@Req() request: Request, @Res() response: Response): Promise<void> {
      await throttle.admitLogin(clientAddressOf(request)); // guessing links is as slow as guessing passwords
      const form = await readForm(request, passwordResetFormSchema);
      if (!hasMail) sendGone(response);
      else if (form.answer === 'ask') await ask(form, request, response);
      else await set(form, request, response);
    }

    @Get('email-confirmation')
    async showConfirmation(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { token } = parseQuery(mailLinkQuerySchema, request.url);
      if (!(await confirmAddress.isGood(token))) sendGone(response);
      else sendPage(response, { status: 200, html: renderConfirm(token), formTarget: 'self' });
    }

    @Post('email-confirmation')
    async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
      await throttle.admitLogin(clientAddressOf(request));
      const { token } = await readForm(request, emailConfirmationFormSchema);
      if (!(await confirmAddress.confirm(token, actorOf(request)))) sendGone(response);
      else sendPage(response, { status: 200, html: renderConfirmed() });
    }
  }
  return MailLinkPagesController;

  async function ask(form: PasswordResetForm, request: Request, response: Response): Promise<void> {
    const { data: email } = emailSchema.safeParse(form.email);
    if (email === undefined) {
      const html = renderAskForReset('This is no e-mail address.');
      return sendPage(response, { status: 403, html, formTarget: 'self' });
    }
    await throttle.admitLetter({ to: email, address: clientAddressOf(request) });
    await resetPassword.ask(email);
    sendPage(response, { status: 200, html: renderAsked() });
  }

  async function set(
    { token, password, code }: PasswordResetForm,
    request: Request,
    response: Response,
  ): Promise<void> {
    const target = await resetPassword.find(token);
    if (target === undefined) return sendGone(response);
    const { accountId } = target;
    try {
      await resetPassword.set({ token, accountId, password, ...toFactor(code) }, actorOf(request));
      sendPage(response, { status: 200, html: renderResetDone() });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'not_found') return sendGone(response);
      const problem = error.code === 'invalid_request' ? error.message : problems[error.code];
      if (problem === undefined) throw error;
      showSet(response, { ...target, token, problem });
    }
  }
}

/** The refusals that the person can mend. */
const problems: Partial<Record<string, string>> = {
  second_factor_required: 'This account needs a code of its authenticator app as well.',
  invalid_second_factor: 'The code is wrong, or it was used before.',
};

function showSet(response: Response, view: ResetTarget & { readonly token: string; readonly problem?: string }): void {
  sendPage(response, { status: view.problem === undefined ? 200 : 403, html: renderReset(view), formTarget: 'self' });
}

function showAsk(response: Response, hasMail: boolean): void {
  if (hasMail) sendPage(response, { status: 200, html: renderAskForReset(), formTarget: 'self' });
  else sendPage(response, { status: 404, html: renderNoMail() });
}

function sendGone(response: Response): void {
  sendPage(response, { status: 404, html: renderLinkGone() });
}
