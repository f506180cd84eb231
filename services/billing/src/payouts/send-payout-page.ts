import type { PayoutQuery } from '@tollgate/contracts/money/payouts';
import { toListPage } from '@tollgate/runtime/http/lists/list-page';
import { sendJson } from '@tollgate/runtime/http/answers/send-json';
import type { Response } from 'express';
import type { ListPayouts } from './list-payouts.ts';
import { fromPayoutCursor, toPayoutCursor } from './payout-cursor.ts';
import { toApiPayout } from './to-api-payout.ts';

export async function sendPayoutPage(
  response: Response,
  listPayouts: ListPayouts,
  query: PayoutQuery & { readonly builderId: string },
): Promise<void> {
  const { builderId, limit, cursor, status, period } = query;
  const page = await listPayouts({ builderId, limit, status, period, ...fromPayoutCursor(cursor) });
  sendJson(response, 200, toListPage('payouts', { ...page, limit, cursorOf: toPayoutCursor, toApi: toApiPayout }));
}
