import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { setupPaymentMethodSchema, type PaymentMethod as ApiPaymentMethod } from '@tollgate/contracts/billing-account';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { toApiSetupLink } from './to-api-link.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/billing/payment-method')
export class PaymentMethodController {
  constructor(
    @Inject(token('replyOnce')) private readonly replyOnce: UseCases['replyOnce'],
    @Inject(token('ownAddressOf')) private readonly ownAddressOf: UseCases['ownAddressOf'],
    @Inject(token('setUpPaymentMethod')) private readonly setUpPaymentMethod: UseCases['setUpPaymentMethod'],
    @Inject(token('findPaymentMethod')) private readonly findPaymentMethod: UseCases['findPaymentMethod'],
    @Inject(token('removePaymentMethod')) private readonly removePaymentMethod: UseCases['removePaymentMethod'],
  ) {}

  @Post()
  async setUp(@Req() request: Request, @Res() response: Response): Promise<void> {
    const accountId = accountIdOf(request);
    const ownAddress = this.ownAddressOf(request);
    await this.replyOnce({ request, response, readBody: readBody(setupPaymentMethodSchema) }, async (_tx, body) => {
      const link = await this.setUpPaymentMethod({ accountId, returnUrl: body.return_url });
      return { status: 200, body: toApiSetupLink(link, ownAddress) };
    });
  }

  @Get()
  async find(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { brand, last4, expMonth, expYear } = await this.findPaymentMethod(accountIdOf(request));
    const body: ApiPaymentMethod = { brand, last4, exp_month: expMonth, exp_year: expYear };
    sendJson(response, 200, body);
  }

  @Delete()
  async remove(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.removePaymentMethod(accountIdOf(request));
    sendEmpty(response);
  }
}
