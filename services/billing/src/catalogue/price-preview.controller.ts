import { Controller, Post, Req, Res } from '@nestjs/common';
import { previewPriceSchema } from '@tollgate/contracts/tools/price-preview';
import { toUsdNumber } from '@tollgate/kernel/usd-number';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { NestController } from '@tollgate/runtime/nest/create-nest-http';
import { readBody } from '@tollgate/runtime/nest/read-body';
import type { Request, Response } from 'express';
import { previewPrice, type PreviewAmount } from './preview-price.ts';
import { requirePriceAtMost, type PriceBounds } from './price-bounds.ts';

const readPreview = readBody(previewPriceSchema);

export function pricePreviewController({ priceBounds }: { readonly priceBounds: PriceBounds }): NestController {
  @Controller('v1/prices')
  class PricePreviewController {
    @Post('preview')
    async preview(@Req() request: Request, @Res() response: Response): Promise<void> {
      const { value } = await readPreview(request, response);
      requirePriceAtMost(value.price, priceBounds);
      const amounts = previewPrice(value.price, value.quantities).map(toApiAmount);
      sendJson(response, 200, { price: value.price, amounts });
    }
  }
  return PricePreviewController;
}

/** Amounts may have more digits than a double; `toUsdNumber` prints them all. */
function toApiAmount({ calls, chargeMicros, lines }: PreviewAmount) {
  return {
    calls,
    charge_usd: toUsdNumber(chargeMicros),
    lines: lines.map(({ chargeMicros: micros, ...line }) => ({ ...line, charge_usd: toUsdNumber(micros) })),
  };
}
