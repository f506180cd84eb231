import { Controller, Get, Patch, Post, Req, Res } from '@nestjs/common';
import {
  changePasswordSchema,
  loginSchema,
  registerSchema,
  updateAccountSchema,
} from '@tollgate/contracts/accounts/accounts';
import { AppError } from '@tollgate/kernel/app-error';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { accountIdOf, clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { sessionOf } from '../sessions/session-of.ts';
import { toApiToken } from '../sessions/to-api-token.ts';
import { bodyLimits } from './body-limits.ts';
import type { ChangePassword } from './change-password.ts';
import type { SignInThrottle } from './memory-sign-in-throttle.ts';
import type { NameAccount } from './name-account.ts';
import type { ReadAccount } from './read-account.ts';
import type { RegisterAccount } from './register-account.ts';
import type { SignIn } from './sign-in.ts';
import { toApiAccount } from './to-api-account.ts';

interface UseCases {
  readonly throttle: SignInThrottle;
  readonly registerAccount: RegisterAccount;
  readonly signIn: SignIn;
  readonly readAccount: ReadAccount;
  readonly changePassword: ChangePassword;
  readonly nameAccount: NameAccount;
}

const readRegistration = readBody(registerSchema, bodyLimits);
const readLogin = readBody(loginSchema, bodyLimits);
const readUpdate = readBody(updateAccountSchema, bodyLimits);
const readPasswordChange = readBody(changePasswordSchema, bodyLimits);

export function accountController(useCases: UseCases) {
  const { throttle, registerAccount, signIn, readAccount, changePassword, nameAccount } = useCases;

  @Controller('v1/auth')
  class AccountController {
    @Post('register')
    async register(@Req() request: Request, @Res() response: Response): Promise<void> {
      await throttle.admitRegistration(clientAddressOf(request));
      const { value: credentials } = await readRegistration(request, response);
      sendJson(response, 201, toApiToken(await registerAccount(credentials, actorOf(request))));
    }

    @Post('login')
    async login(@Req() request: Request, @Res() response: Response): Promise<void> {
      const address = clientAddressOf(request);
      await throttle.admitLogin(address);
      const { value: credentials } = await readLogin(request, response);
      const { email, password, totp_code: totpCode, recovery_code: recoveryCode } = credentials;
      await throttle.admitPasswordTry({ account: email, address });
      sendJson(response, 200, toApiToken(await signIn({ email, password, totpCode, recoveryCode }, actorOf(request))));
    }

    @Get('me')
    async me(@Req() request: Request, @Res() response: Response): Promise<void> {
      const account = await readAccount(accountIdOf(request));
      if (account === undefined) throw new AppError('unauthorized', 'The account of this credential is gone.');
      sendJson(response, 200, toApiAccount(account));
    }

    @Patch('me')
    async change(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { accountId } = sessionOf(request);
      const { value } = await readUpdate(request, response);
      await nameAccount(accountId, value.public_name, actorOf(request));
      await this.me(request, response);
    }

    @Post('password')
    async password(@Req() request: Request, @Res() response: Response): Promise<void> {
      const session = sessionOf(request);
      await throttle.admitPasswordTry({ account: session.accountId, address: clientAddressOf(request) });
      const { value } = await readPasswordChange(request, response);
      const { current_password: currentPassword, new_password: newPassword, revoke_api_keys: revokesApiKeys } = value;
      const change = { ...session, currentPassword, newPassword, revokesApiKeys };
      await changePassword(change, actorOf(request));
      sendEmpty(response);
    }
  }
  return AccountController;
}
