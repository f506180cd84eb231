import { TollgateError, type Tollgate } from '@tollgate/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { toUsd } from '../usd.ts';
import { capWords } from '../words.ts';

const returnOption = ['--return-url <url>', 'where the page sends the browser afterwards'] as const;

/** The browser comes back to the documentation of the service, unless another page is given. */
export const returnUrlOf = ({ url }: Tollgate, given?: string): string => given ?? `${url}/docs`;

/** Adds the commands for your budget, your balance and your card. */
export function addPayingCommands(program: Command, context: Context): void {
  addBudget(program, context);
  addBalance(program, context);
  addCard(program, context);
}

function addBudget(program: Command, { session, write }: Context): void {
  const budget = program.command('budget').description('what your account may spend, over all its passes');
  budget
    .command('show', { isDefault: true })
    .description('show the budget and what is left of it')
    .action(async () => {
      const found = await orNothing(session.run(({ spending }) => spending.budget()));
      if (found === undefined) return write.nothing('You have no budget: `tollgate budget set <usd>` sets one.');
      write.record(found, { ...found, amount_usd: capWords(found), window: found.window });
    });
  budget
    .command('set <usd>')
    .description('refuse calls that do not fit into it any more')
    .addOption(new Option('--window <window>', 'when it resets').choices(['day', 'month']).default('month'))
    .action(async (amount: string, { window }: { window: 'day' | 'month' }) => {
      const body = { amount_usd: toUsd(amount), window };
      const set = await session.run(({ spending }) => spending.setBudget(body));
      write.record(set, { ...set, amount_usd: capWords(set) });
    });
  budget
    .command('remove')
    .description('remove the budget')
    .action(async () => {
      await session.run(({ spending }) => spending.removeBudget());
      write.say('The budget is removed.');
    });
}

function addBalance(program: Command, { session, write }: Context): void {
  const balance = program.command('balance').description('money that pays your invoices before a card does');
  balance
    .command('show', { isDefault: true })
    .description('show the balance and what can be spent of it')
    .action(async () => {
      const { credits, ...found } = await session.run(({ billing }) => billing.balance());
      write.record({ ...found, credits }, { ...found, credits: credits.length });
    });
  balance
    .command('top-up <usd>')
    .description('charge your card for the balance')
    .action(async (amount: string) => {
      const body = { amount_usd: toUsd(amount) };
      write.record(await session.run(({ billing }) => billing.topUp(body)));
    });
}

function addCard(program: Command, { session, write }: Context): void {
  const card = program.command('card').description('the card that pays your invoices');
  card
    .command('show', { isDefault: true })
    .description('show the card on file')
    .action(async () => {
      const found = await orNothing(session.run(({ billing }) => billing.paymentMethod()));
      if (found === undefined) return write.nothing('No card is on file: `tollgate card add` adds one.');
      write.record(found);
    });
  card
    .command('add')
    .description('print the address of the page where you enter a card')
    .option(...returnOption)
    .action(async ({ returnUrl }: { returnUrl?: string }) => {
      const link = await session.run((tollgate) =>
        tollgate.billing.setUpPaymentMethod({ return_url: returnUrlOf(tollgate, returnUrl) }),
      );
      write.record(link, { open: link.setup_url, until: link.expires_at });
    });
  card
    .command('remove')
    .description('take the card off file')
    .action(async () => {
      await session.run(({ billing }) => billing.removePaymentMethod());
      write.say('No card is on file.');
    });
}

/** Undefined for what was never set. */
async function orNothing<Found>(found: Promise<Found>): Promise<Found | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof TollgateError && error.code === 'not_found') return undefined;
    throw error;
  }
}
