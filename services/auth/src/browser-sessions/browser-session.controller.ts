import { Controller, Delete, Post, Req, Res } from '@nestjs/common';
import { browserSignInSchema, proveSecondFactorSchema } from '@tollgate/contracts/accounts/browser-sessions';
import { AppError } from '@tollgate/kernel/app-error';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import type { CookieCheck } from '@tollgate/runtime/auth/cookie-check';
import type { SessionCookie } from '@tollgate/runtime/auth/session-cookie';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { clientAddressOf, cookieOf } from '@tollgate/runtime/http/requests/request-context';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { asSession } from '../accounts/as-session.ts';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { ReadAccount } from '../accounts/read-account.ts';
import { toApiAccount } from '../accounts/to-api-account.ts';
import type { EndSession } from '../sessions/end-session.ts';
import { sessionOf } from '../sessions/session-of.ts';
import type { ProveSecondFactor } from './prove-second-factor.ts';
import type { SignInBrowser } from './sign-in-browser.ts';

interface UseCases extends CookieCheck {
  readonly throttle: SignInThrottle;
  readonly cookie: SessionCookie;
  readonly signInBrowser: SignInBrowser;
  readonly proveSecondFactor: ProveSecondFactor;
  readonly endSession: EndSession;
  readonly readAccount: ReadAccount;
}

const readCode = readBody(proveSecondFactorSchema, bodyLimits);
const readSignIn = readBody(browserSignInSchema, bodyLimits);

export function browserSessionController(useCases: UseCases) {
  const { throttle, cookie, signInBrowser, proveSecondFactor, endSession, readAccount, sessionOfCookie } = useCases;

  /** The session that the browser had before a sign-in, whoever gave it to it. */
  async function endFormer(request: Request): Promise<void> {
    try {
      const former = await sessionOfCookie(request);
      if (former) await endSession(former, asSession(actorOf(request), former));
    } catch (error) {
      if (!(error instanceof AppError)) throw error; // its cookie counts for nothing, and is replaced
    }
  }

  @Controller('v1/auth/session')
  class BrowserSessionController {
    @Post()
    async begin(@Req() request: Request, @Res() response: Response): Promise<void> {
      const address = clientAddressOf(request);
      await throttle.admitLogin(address);
      const { value } = await readSignIn(request, response);
      const { email, password, totp_code: totpCode, recovery_code: recoveryCode } = value;
      cookie.requireOwnPage(request);
      await throttle.admitPasswordTry({ account: email, address });
      const begun = await signInBrowser({ email, password, totpCode, recoveryCode }, actorOf(request));
      await endFormer(request);
      const account = await readAccount(begun.accountId);
      if (account === undefined) throw new AppError('unauthorized', 'The account of this session is gone.');
      cookie.set(response, begun.secret);
      sendJson(response, 201, toApiAccount(account));
    }

    @Post('second-factor')
    async prove(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = sessionOf(request);
      await throttle.admitPasswordTry({ account: session.accountId, address: clientAddressOf(request) });
      const { totp_code: totpCode, recovery_code: recoveryCode } = (await readCode(request, response)).value;
      await proveSecondFactor({ ...session, totpCode, recoveryCode }, actorOf(request));
      sendEmpty(response);
    }

    @Delete()
    async end(@Req() request: Request, @Res() response: Response): Promise<void> {
      await endSession(sessionOf(request), actorOf(request));
      if (cookieOf(request) !== undefined) cookie.clear(response);
      sendEmpty(response);
    }
  }
  return BrowserSessionController;
}
