import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { changePasswordSchema } from '@tollgate/contracts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import { accountIdOf, clientAddressOf } from '@tollgate/runtime/http/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import type { ChangePassword } from '../accounts/change-password.ts';
import type { SignInThrottle } from '../ports.ts';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { bodyLimits } from '../edge/body-limits.ts';
import { sessionOf } from './session-of.ts';
import { toApiAccount } from '../edge/to-api.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

/** What a signed-in account may ask and do about itself. */
@Controller('v1/auth')
export class SessionController {
  constructor(
    @Inject(token('throttle')) private readonly throttle: SignInThrottle,
    @Inject(token('readAccount')) private readonly readAccount: UseCases['readAccount'],
    @Inject(token('endSession')) private readonly endSession: UseCases['endSession'],
    @Inject(token('changePassword')) private readonly changePassword: ChangePassword,
  ) {}

  @Get('me')
  async me(@Req() request: Request, @Res() response: Response): Promise<void> {
    const account = await this.readAccount(accountIdOf(request));
    if (account === undefined) throw new AppError('unauthorized', 'The account of this credential is gone.');
    sendJson(response, 200, toApiAccount(account));
  }

  @Post('logout')
  async logout(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.endSession(sessionOf(request));
    sendEmpty(response);
  }

  @Post('password')
  async password(@Req() request: Request, @Res() response: Response): Promise<void> {
    const session = sessionOf(request);
    await this.throttle.admitPasswordTry({ account: session.accountId, address: clientAddressOf(request) });
    const { current_password: currentPassword, new_password: newPassword } = (
      await readBody(changePasswordSchema, bodyLimits)(request, response)
    ).value;
    await this.changePassword({ ...session, currentPassword, newPassword });
    sendEmpty(response);
  }
}
