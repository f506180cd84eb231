import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { loginSchema, registerSchema } from '@tollgate/contracts/accounts';
import { clientAddressOf } from '@tollgate/runtime/http/request-context';
import { sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import type { SignInThrottle } from '../ports.ts';
import type { RefreshToken } from '../sessions/refresh-token.ts';
import type { RegisterAccount } from './register-account.ts';
import type { SignIn } from './sign-in.ts';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { bodyLimits } from '../edge/body-limits.ts';
import type { ReadRefreshToken } from '../sessions/read-refresh-token.ts';
import { toApiToken } from '../edge/to-api.ts';
import { token } from '../edge/use-cases.ts';

/** The ways to an access token. None of them needs a valid one. */
@Controller('v1/auth')
export class SignInController {
  constructor(
    @Inject(token('throttle')) private readonly throttle: SignInThrottle,
    @Inject(token('registerAccount')) private readonly registerAccount: RegisterAccount,
    @Inject(token('signIn')) private readonly signIn: SignIn,
    @Inject(token('readRefreshToken')) private readonly readRefreshToken: ReadRefreshToken,
    @Inject(token('refreshToken')) private readonly refreshToken: RefreshToken,
  ) {}

  @Post('register')
  async register(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.throttle.admitRegistration(clientAddressOf(request));
    const credentials = (await readBody(registerSchema, bodyLimits)(request, response)).value;
    sendJson(response, 201, toApiToken(await this.registerAccount(credentials)));
  }

  @Post('login')
  async login(@Req() request: Request, @Res() response: Response): Promise<void> {
    const address = clientAddressOf(request);
    await this.throttle.admitLogin(address);
    const credentials = (await readBody(loginSchema, bodyLimits)(request, response)).value;
    await this.throttle.admitPasswordTry({ account: credentials.email, address });
    sendJson(response, 200, toApiToken(await this.signIn(credentials)));
  }

  @Post('refresh')
  async refresh(@Req() request: Request, @Res() response: Response): Promise<void> {
    const presented = await this.readRefreshToken(request.headers.authorization);
    sendJson(response, 200, toApiToken(await this.refreshToken(presented)));
  }
}
