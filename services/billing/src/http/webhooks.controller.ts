import { Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { readRaw } from '@tollgate/runtime/http/read-json-body';
import { sendEmpty } from '@tollgate/runtime/http/send-json';
import type { Request, Response } from 'express';
import { token, type UseCases } from './use-cases.ts';

const bodyLimits = { maxBytes: 64 * 1_024 };

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(@Inject(token('receiveWebhook')) private readonly receiveWebhook: UseCases['receiveWebhook']) {}

  @Post('sandbox')
  async receive(@Req() request: Request, @Res() response: Response): Promise<void> {
    const rawBody = await readRaw(request, bodyLimits); // as it came: the signature is of these bytes
    await this.receiveWebhook({ rawBody, signature: request.get('sandbox-signature') });
    sendEmpty(response);
  }
}
