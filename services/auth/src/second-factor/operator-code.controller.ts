import { Controller, Post, Req, Res } from '@nestjs/common';
import { createOperatorCodeSchema } from '@tollgate/contracts/accounts/second-factor';
import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { bearerOf } from '@tollgate/runtime/auth/bearer-token';
import { clientAddressOf } from '@tollgate/runtime/http/requests/request-context';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { bodyLimits } from '../accounts/body-limits.ts';
import type { SignInThrottle } from '../accounts/memory-sign-in-throttle.ts';
import { operatorCodeLifeMs, type CreateOperatorCode } from './create-operator-code.ts';

interface UseCases {
  readonly throttle: Pick<SignInThrottle, 'admitPasswordTry'>;
  readonly createOperatorCode: CreateOperatorCode;
}

const readCreate = readBody(createOperatorCodeSchema, bodyLimits);

export function operatorCodeController({ throttle, createOperatorCode }: UseCases) {
  @Controller('v1/operator')
  class OperatorCodeController {
    @Post('code')
    async create(@Req() request: Request, @Res() response: Response): Promise<void> {
      await throttle.admitPasswordTry({ account: 'operator', address: clientAddressOf(request) });
      const { value } = await readCreate(request, response);
      const wish = { totpCode: value.code, token: bearerOf(request.headers.authorization) };
      const code = await createOperatorCode(wish, actorOf(request));
      sendJson(response, 201, { operator_code: code, expires_in: operatorCodeLifeMs / 1_000 });
    }
  }
  return OperatorCodeController;
}
