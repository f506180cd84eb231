import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import {
  setupPaymentMethodSchema,
  type PaymentMethod as ApiPaymentMethod,
  type ConnectLink,
  type SetupLink,
} from '@tollgate/contracts/money/billing-account';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { toIso } from '@tollgate/kernel/clock';
import type { HostedLink } from './processor.ts';
import type { PaymentMethods } from './payment-methods.ts';

export interface PaymentMethodUseCases extends PaymentMethods {
  readonly replyOnce: ReplyOnce;
  readonly ownAddressOf: OwnAddressOf;
}

export function paymentMethodController({
  replyOnce,
  ownAddressOf,
  setUpPaymentMethod,
  findPaymentMethod,
  removePaymentMethod,
}: PaymentMethodUseCases): NestController {
  @Controller('v1/billing/payment-method')
  class PaymentMethodController {
    @Post()
    async setUp(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const ownAddress = ownAddressOf(request);
      await replyOnce({ request, response, readBody: readBody(setupPaymentMethodSchema) }, async (tx, body) => {
        const link = await setUpPaymentMethod({ accountId, returnUrl: body.return_url });
        const object = { kind: 'payment_method' };
        await recordAct(tx, actorOf(request), { action: 'payment_method.linked', accountId, object });
        return { status: 200, body: toApiSetupLink(link, ownAddress) };
      });
    }

    @Get()
    async find(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { brand, last4, expMonth, expYear } = await findPaymentMethod(accountIdOf(request));
      const body: ApiPaymentMethod = { brand, last4, exp_month: expMonth, exp_year: expYear };
      sendJson(response, 200, body);
    }

    @Delete()
    async remove(@Req() request: Request, @Res() response: Response): Promise<void> {
      await removePaymentMethod(accountIdOf(request), actorOf(request));
      sendEmpty(response);
    }
  }
  return PaymentMethodController;
}

/** Makes the path of our own page absolute. A processor's address stays as it is. */
export function toApiConnectLink({ url, expiresAtMs }: HostedLink, ownAddress: string): ConnectLink {
  return { connect_url: new URL(url, ownAddress).href, expires_at: toIso(expiresAtMs) };
}

function toApiSetupLink({ url, expiresAtMs }: HostedLink, ownAddress: string): SetupLink {
  return { setup_url: new URL(url, ownAddress).href, expires_at: toIso(expiresAtMs) };
}
