import { Controller, Post, Req, Res } from '@nestjs/common';
import { readRaw } from '@tollgate/runtime/http/requests/read-json-body';
import { sendEmpty } from '@tollgate/runtime/http/answers/send-json';
import type { Request, Response } from 'express';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import type { ReceiveWebhook } from './apply-webhooks.ts';

const bodyLimits = { maxBytes: 64 * 1_024 };
/** Stripe sends the whole object with the event. */
const stripeBodyLimits = { maxBytes: 256 * 1_024 };

/** Receives the webhooks of the chosen processor. The table of routes answers 404 for the other's. */
export function webhooksController(receiveWebhook: ReceiveWebhook): NestController {
  @Controller('v1/webhooks')
  class WebhooksController {
    @Post('sandbox')
    async receiveFromSandbox(@Req() request: Request, @Res() response: Response): Promise<void> {
      const rawBody = await readRaw(request, bodyLimits); // unparsed, since the signature covers these bytes
      await receiveWebhook({ rawBody, signature: request.get('sandbox-signature') });
      sendEmpty(response);
    }

    @Post('stripe')
    async receiveFromStripe(@Req() request: Request, @Res() response: Response): Promise<void> {
      const rawBody = await readRaw(request, stripeBodyLimits);
      await receiveWebhook({ rawBody, signature: request.get('stripe-signature') });
      sendEmpty(response);
    }
  }
  return WebhooksController;
}
