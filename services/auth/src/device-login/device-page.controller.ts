import { Controller, Get, Post, Req, Res } from '@nestjs/common';
import { devicePageAnswerSchema, type DevicePageAnswer } from '@tollgate/contracts/accounts/device-login';
import { AppError } from '@tollgate/kernel/app-error';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { readForm } from '@tollgate/runtime/pages/read-form';
import { sendPage } from '@tollgate/runtime/pages/send-page';
import type { Request, Response } from 'express';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { toFactor } from '../accounts/to-factor.ts';
import type { AnswerDeviceLogin } from './answer-device-login.ts';
import { renderAskForCode, renderCodeGone, renderDone, renderSignIn } from './render-device-page.ts';

interface UseCases {
  readonly throttle: Pick<SignInThrottle, 'admitLogin' | 'admitPasswordTry'>;
  readonly answerDeviceLogin: AnswerDeviceLogin;
  readonly resetUrl: string | undefined;
}

/** The page where a person approves the sign-in of a program. Each approval has a password: there is no cookie to abuse. */
export function devicePageController({ throttle, answerDeviceLogin, resetUrl }: UseCases) {
  @Controller('device')
  class DevicePageController {
    @Get()
    show(@Res() response: Response): void {
      sendPage(response, { status: 200, html: renderAskForCode(), formTarget: 'self' });
    }

    @Post()
    async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
      await throttle.admitLogin(clientAddressOf(request)); // guessing codes is as slow as guessing passwords
      const form = await readForm(request, devicePageAnswerSchema);
      if (form.answer === 'refuse') await refuse(form, response);
      else if (form.answer === 'approve') await approve(form, request, response);
      else await showSignIn(form, response);
    }
  }
  return DevicePageController;

  async function refuse({ user_code: userCode }: DevicePageAnswer, response: Response): Promise<void> {
    if (!(await answerDeviceLogin.refuse(userCode))) sendGone(response);
    else sendPage(response, { status: 200, html: renderDone('refused') });
  }

  async function approve(form: DevicePageAnswer, request: Request, response: Response): Promise<void> {
    const { user_code: userCode, email, password, code } = form;
    await throttle.admitPasswordTry({ account: email, address: clientAddressOf(request) });
    try {
      await answerDeviceLogin.approve({ userCode, email, password, ...toFactor(code) }, actorOf(request));
      sendPage(response, { status: 200, html: renderDone('approved') });
    } catch (error) {
      const problem = error instanceof AppError ? problems[error.code] : undefined;
      if (error instanceof AppError && error.code === 'not_found') sendGone(response);
      else if (problem === undefined) throw error;
      else await showSignIn(form, response, problem);
    }
  }

  async function showSignIn(form: DevicePageAnswer, response: Response, problem?: string): Promise<void> {
    const { user_code: userCode, email } = form;
    const login = await answerDeviceLogin.find(userCode);
    if (login === undefined) return sendGone(response);
    const html = renderSignIn({ login, userCode, email, problem, resetUrl });
    sendPage(response, { status: problem === undefined ? 200 : 403, html, formTarget: 'self' });
  }
}

/** The refusals of a sign-in that the person can mend. */
const problems: Partial<Record<string, string>> = {
  invalid_credentials: 'The e-mail or the password is wrong.',
  second_factor_required: 'This account needs a code of its authenticator app as well.',
  invalid_second_factor: 'The code is wrong, or it was used before.',
  account_suspended: 'This account is suspended.',
};

/** Unknown, used and expired codes have one answer, so a guess reveals nothing. */
function sendGone(response: Response): void {
  sendPage(response, { status: 404, html: renderCodeGone(), formTarget: 'self' });
}
