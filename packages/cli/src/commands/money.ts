import { writeFileSync } from 'node:fs';
import type { Schemas, Tollgate } from '@tollgate/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { returnUrlOf } from './paying.ts';

/** Invoices that you pay, and payouts that you get. */
export function addMoneyCommands(program: Command, context: Context): void {
  addInvoices(program, context);
  addInvoice(program, context);
  addPayouts(program, context);
  addConnect(program, context);
}

function addInvoices(program: Command, { session, write }: Context): void {
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
    .action(async () => {
      const upcoming = await session.run((tollgate) => tollgate.invoices.upcoming());
      writeInvoice(upcoming, write);
    });
}

function addInvoice(program: Command, { session, write }: Context): void {
  program
    .command('invoice <number>')
    .description('show an invoice with its lines, by its number or its id')
    .option('--pdf [file]', 'write it as PDF instead; default: invoice-<number>.pdf')
    .action(async (word: string, { pdf }: { pdf?: string | true }) => {
      const { id, number } = await session.run((tollgate) => findInvoice(tollgate, word));
      if (pdf === undefined) return writeInvoice(await session.run(({ invoices }) => invoices.get(id)), write);
      const file = pdf === true ? `invoice-${number}.pdf` : pdf;
      writeFileSync(file, await session.run(({ invoices }) => invoices.pdf(id)));
      write.say(`Written to ${file}.`);
    });
}

async function findInvoice({ invoices }: Tollgate, word: string): Promise<{ id: string; number: number | string }> {
  if (!/^\d+$/.test(word)) return { id: word, number: word };
  for await (const { id, number } of invoices.list({ limit: 100 }))
    if (id !== null && String(number) === word) return { id, number: word };
  throw new Error(`you have no invoice with the number ${word}`);
}

function writeInvoice(invoice: { readonly lines: Schemas['Invoice']['lines'] }, write: Context['write']): void {
  const { lines, ...head } = invoice;
  write.record(invoice, head);
  if (lines.length > 0) write.rows(lines, ['tool_id', 'quantity', 'unit', 'charge_usd', 'name']);
}

function addPayouts(program: Command, { session, write }: Context): void {
  program
    .command('payouts')
    .description('list payouts of your tools, the newest first')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.payouts.list({ limit: 100 }).toArray());
      write.table(rows, ['period', 'status', 'amount_usd', 'fee_usd', 'net_usd', 'paid_at', 'id']);
    });
}

function addConnect(program: Command, { session, write }: Context): void {
  const connect = program.command('connect').description('the account that gets your payouts');
  connect
    .command('show', { isDefault: true })
    .description('show whether it is connected, and what is earned and not paid out')
    .action(async () => {
      const account = await session.run(({ billing }) => billing.account());
      write.record(account);
      if (!account.payout_enabled) write.note('`tollgate connect add` prints where you connect it.');
    });
  connect
    .command('add')
    .description('print the address of the page where you connect it')
    .option('--country <code>', 'where you live or are registered, as DE')
    .option('--return-url <url>', 'where the page sends the browser afterwards')
    .action(async ({ country, returnUrl }: { country?: string; returnUrl?: string }) => {
      const link = await session.run((tollgate) =>
        tollgate.billing.connect({
          return_url: returnUrlOf(tollgate, returnUrl),
          ...(country !== undefined && { country }),
        }),
      );
      write.record(link, { open: link.connect_url, until: link.expires_at });
    });
  connect
    .command('remove')
    .description('disconnect it; what is owed to you stays owed')
    .action(async () => {
      await session.run(({ billing }) => billing.disconnect());
      write.say('The payout account is disconnected.');
    });
}
