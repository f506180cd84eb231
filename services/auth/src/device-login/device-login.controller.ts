import { Controller, Post, Req, Res } from '@nestjs/common';
import { createDeviceLoginSchema, redeemDeviceLoginSchema } from '@tollgate/contracts/accounts/device-login';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { toApiToken } from '../sessions/to-api-token.ts';
import type { CreateDeviceLogin } from './create-device-login.ts';
import type { RedeemDeviceLogin } from './redeem-device-login.ts';

interface UseCases {
  readonly throttle: Pick<SignInThrottle, 'admitLogin'>;
  readonly ownAddressOf: OwnAddressOf;
  readonly createDeviceLogin: CreateDeviceLogin;
  readonly redeemDeviceLogin: RedeemDeviceLogin;
}

const readCreate = readBody(createDeviceLoginSchema, bodyLimits);
const readRedeem = readBody(redeemDeviceLoginSchema, bodyLimits);

/** The routes for programs. Both codes stand in bodies, which no log repeats. */
export function deviceLoginController({ throttle, ownAddressOf, createDeviceLogin, redeemDeviceLogin }: UseCases) {
  @Controller('v1/auth/device')
  class DeviceLoginController {
    @Post()
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      const address = clientAddressOf(request);
      await throttle.admitLogin(address);
      const verificationUrl = new URL('/device', ownAddressOf(request)).href;
      const { value } = await readCreate(request, response);
      const asked = await createDeviceLogin({ client: value.client, address });
      sendJson(response, 200, {
        device_code: asked.deviceCode,
        user_code: asked.userCode,
        verification_url: verificationUrl,
        expires_in: asked.expiresInSeconds,
        interval: asked.intervalSeconds,
      });
    }

    @Post('token')
    async redeem(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readRedeem(request, response);
      sendJson(response, 200, toApiToken(await redeemDeviceLogin(value.device_code, actorOf(request))));
    }
  }
  return DeviceLoginController;
}
