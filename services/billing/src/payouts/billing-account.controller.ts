import { Controller, Delete, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { connectSchema } from '@tollgate/contracts/billing-account';
import { accountIdOf } from '@tollgate/runtime/http/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { toApiBillingAccount } from './to-api-billing-account.ts';
import { toApiConnectLink } from '../processor/to-api-link.ts';
import { token, type UseCases } from '../edge/use-cases.ts';

@Controller('v1/billing')
export class BillingAccountController {
  constructor(
    @Inject(token('replyOnce')) private readonly replyOnce: UseCases['replyOnce'],
    @Inject(token('ownAddressOf')) private readonly ownAddressOf: UseCases['ownAddressOf'],
    @Inject(token('readBillingAccount')) private readonly readBillingAccount: UseCases['readBillingAccount'],
    @Inject(token('connectPayoutAccount')) private readonly connectPayoutAccount: UseCases['connectPayoutAccount'],
    @Inject(token('disconnectPayoutAccount')) private readonly disconnect: UseCases['disconnectPayoutAccount'],
  ) {}

  @Get('account')
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    sendJson(response, 200, toApiBillingAccount(await this.readBillingAccount(accountIdOf(request))));
  }

  @Post('connect')
  async connect(@Req() request: Request, @Res() response: Response): Promise<void> {
    const accountId = accountIdOf(request);
    const ownAddress = this.ownAddressOf(request);
    await this.replyOnce({ request, response, readBody: readBody(connectSchema) }, async (_tx, body) => {
      const link = await this.connectPayoutAccount({ accountId, returnUrl: body.return_url });
      return { status: 200, body: toApiConnectLink(link, ownAddress) };
    });
  }

  @Delete('connect')
  async end(@Req() request: Request, @Res() response: Response): Promise<void> {
    await this.disconnect(accountIdOf(request));
    sendEmpty(response);
  }
}
