import { AppError } from '@tollgate/kernel/app-error';
import { formatUsd } from '@tollgate/kernel/money';
import { centsToMicros } from '@tollgate/kernel/whole-cents';
import type { RefundsDeps } from './refund.ts';
import { listOpenDisputes } from './sql-disputes.ts';

/**
 * Lists the charges of an invoice of which the processor refunds nothing: it has withdrawn their money, and the dispute is not
 * decided (F270). The dispute is read again, since it names the charge. An inquiry withdraws nothing, and a refund may end it.
 */
export function createListDisputedCharges({ database, processor }: Pick<RefundsDeps, 'database' | 'processor'>) {
  return async function listDisputedCharges(invoiceId: string): Promise<readonly string[]> {
    const ids = await listOpenDisputes(database, { processor: processor.name, invoiceId });
    const disputes = await Promise.all(ids.map((id) => processor.disputes.read(id)));
    return disputes.filter(({ status }) => status === 'open').map(({ chargeObjectId }) => chargeObjectId);
  };
}

/** So much can be refunded although a charge is disputed. */
export function chargeDisputed(freeCents: bigint): AppError {
  const free = formatUsd(centsToMicros(freeCents));
  const until =
    freeCents > 0n ? `Until then at most ${free} USD can be refunded.` : 'The refund has to wait until then.';
  const message = `A charge is disputed, and the processor refunds nothing of it before that is decided. ${until}`;
  const errors = [{ pointer: '/amount_usd', code: 'disputed', message: `must be at most ${free} until then` }];
  return new AppError('charge_disputed', message, { errors });
}
