import { actorOf } from '@tollgate/runtime/audit/actor-of';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import { Controller, Delete, Get, Post, Req, Res } from '@nestjs/common';
import { connectSchema } from '@tollgate/contracts/money/billing-account';
import { accountIdOf } from '@tollgate/runtime/http/requests/request-context';
import { sendEmpty, sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import { readBody } from '@tollgate/runtime/nest/read-body';
import { toApiBillingAccount } from './to-api-billing-account.ts';
import { toApiConnectLink } from '../processor/to-api-link.ts';
import type { ReplyOnce } from '@tollgate/runtime/nest/reply-once';
import type { ConnectPayoutAccount } from '../processor/connect-payout-account.ts';
import type { CreateLoginLink } from '../processor/create-login-link.ts';
import type { DisconnectPayoutAccount } from '../processor/disconnect-payout-account.ts';
import type { OwnAddressOf } from '@tollgate/runtime/http/requests/own-address';
import type { ReadBillingAccount } from './read-billing-account.ts';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';

export interface BillingAccountUseCases {
  readonly replyOnce: ReplyOnce;
  readonly ownAddressOf: OwnAddressOf;
  readonly readBillingAccount: ReadBillingAccount;
  readonly connectPayoutAccount: ConnectPayoutAccount;
  readonly createLoginLink: CreateLoginLink;
  readonly disconnectPayoutAccount: DisconnectPayoutAccount;
}

export function billingAccountController({
  replyOnce,
  ownAddressOf,
  readBillingAccount,
  connectPayoutAccount,
  createLoginLink,
  disconnectPayoutAccount,
}: BillingAccountUseCases): NestController {
  @Controller('v1/billing')
  class BillingAccountController {
    @Get('account')
    async read(@Req() request: Request, @Res() response: Response): Promise<void> {
      sendJson(response, 200, toApiBillingAccount(await readBillingAccount(accountIdOf(request))));
    }

    @Post('connect')
    async connect(@Req() request: Request, @Res() response: Response): Promise<void> {
      const accountId = accountIdOf(request);
      const ownAddress = ownAddressOf(request);
      await replyOnce({ request, response, readBody: readBody(connectSchema) }, async (tx, body) => {
        const link = await connectPayoutAccount({ accountId, returnUrl: body.return_url, country: body.country });
        const object = { kind: 'payout_account' };
        await recordAct(tx, actorOf(request), { action: 'payout_account.linked', accountId, object });
        return { status: 200, body: toApiConnectLink(link, ownAddress) };
      });
    }

    @Post('account/login-link')
    async logIn(@Req() request: Request, @Res() response: Response): Promise<void> {
      const ownAddress = ownAddressOf(request);
      const url = await createLoginLink({ accountId: accountIdOf(request), ownAddress });
      sendJson(response, 200, { login_url: new URL(url, ownAddress).href });
    }

    @Delete('connect')
    async end(@Req() request: Request, @Res() response: Response): Promise<void> {
      await disconnectPayoutAccount(accountIdOf(request), actorOf(request));
      sendEmpty(response);
    }
  }
  return BillingAccountController;
}
