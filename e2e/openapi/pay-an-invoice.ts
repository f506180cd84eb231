import type { InvoiceList } from '@tollgate/contracts/money/invoices';
import { toIso } from '@tollgate/kernel/clock';
import { eventually } from '@tollgate/testkit/eventually';
import type { HttpClient } from '@tollgate/testkit/http-client';
import { pressPage } from '@tollgate/testkit/press-button';
import { registerAccount } from '../register-cast.ts';
import { asker } from './asker.ts';

interface Given {
  readonly client: HttpClient;
  readonly operatorToken: string;
}

/** A consumer with a card calls a dear tool, and its month ends. Returns the id of its invoice, which is paid. */
export async function payAnInvoice({ client, operatorToken }: Given): Promise<string> {
  const [builder, consumer] = [await registerAccount(client, 'builder'), await registerAccount(client, 'consumer')];
  const asConsumer = asker(client, consumer);
  await asker(client, builder)('POST', '/v1/tools', { slug: 'dear', name: 'Dear', price: { per_call_usd: '50' } });
  const back = { return_url: 'https://example.com/back' };
  const { setup_url: url } = await asConsumer<{ setup_url: string }>('POST', '/v1/billing/payment-method', back);
  await pressPage(client, url, { card: 'visa' });
  await eventually(() => asConsumer('GET', '/v1/billing/payment-method'), { withinMs: 10_000 });
  await asConsumer('POST', '/v1/events', { tool_id: 'dear' });
  await endTheMonth({ client, operatorToken });
  const { access_token: token } = await asConsumer<{ access_token: string }>('POST', '/v1/auth/refresh');
  const firstPaid = async () =>
    (await asker(client, token)<InvoiceList>('GET', '/v1/billing/invoices?status=paid')).invoices[0];
  const { id = '' } = (await eventually(firstPaid, { withinMs: 20_000 })) ?? {};
  return id;
}

/** A month closes once everything of it is counted, 24 hours after its end. */
async function endTheMonth({ client, operatorToken }: Given): Promise<void> {
  const asOperator = asker(client, operatorToken);
  const { now } = await asOperator<{ now: string }>('GET', '/v1/sandbox/clock');
  const today = new Date(now);
  const third = Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 3);
  await asOperator('POST', '/v1/sandbox/clock', { now: toIso(third) });
}
