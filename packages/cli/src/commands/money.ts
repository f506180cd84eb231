import type { Command } from 'commander';
import type { Context } from '../context.ts';

/** Invoices that you pay, and payouts that you get. */
export function addMoneyCommands(program: Command, { session, write }: Context): void {
  const invoices = program.command('invoices').description('invoices of your calls');
  invoices
    .command('list', { isDefault: true })
    .description('list invoices, the newest first')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.invoices.list({ limit: 100 }).toArray());
      write.table(rows, ['number', 'period', 'status', 'total_usd', 'issued_at', 'id']);
    });
  invoices
    .command('upcoming')
    .description('show what the next invoice would be now')
    .action(async () => write.record(await session.run((tollgate) => tollgate.invoices.upcoming())));
  program
    .command('payouts')
    .description('list payouts of your tools, the newest first')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.payouts.list({ limit: 100 }).toArray());
      write.table(rows, ['period', 'status', 'amount_usd', 'fee_usd', 'net_usd', 'paid_at', 'id']);
    });
}
