import { Controller, Post, Req, Res } from '@nestjs/common';
import { passwordResetSchema } from '@tollgate/contracts/accounts/mail-links';
import { sendEmpty } from '@tollgate/runtime/http/answers/send-json';
import { accountIdOf, clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import type { ConfirmAddress } from './confirm-address.ts';
import type { ResetPassword } from './reset-password.ts';

interface UseCases {
  readonly throttle: Pick<SignInThrottle, 'admitLetter'>;
  readonly resetPassword: Pick<ResetPassword, 'ask'>;
  readonly confirmAddress: Pick<ConfirmAddress, 'ask'>;
}

const read = readBody(passwordResetSchema, bodyLimits);

/** The routes that have a link mailed. */
export function mailLinksController({ throttle, resetPassword, confirmAddress }: UseCases) {
  @Controller('v1/auth')
  class MailLinksController {
    @Post('password-reset')
    async reset(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { email } = (await read(request, response)).value;
      await throttle.admitLetter({ to: email, address: clientAddressOf(request) });
      await resetPassword.ask(email);
      sendEmpty(response);
    }

    @Post('email-confirmation')
    async confirm(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      await throttle.admitLetter({ to: accountId, address: clientAddressOf(request) });
      await confirmAddress.ask(accountId);
      sendEmpty(response);
    }
  }
  return MailLinksController;
}
