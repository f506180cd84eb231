import { TollgateError, type Tollgate } from '@tollgate/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { toUsd } from '../usd.ts';
import { autoTopUpWords, capWords, forecastWords } from '../words.ts';

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
      const forecast = await session.run(({ spending }) => spending.forecast());
      const shown = { ...found, amount_usd: capWords(found), forecast: forecastWords(forecast) };
      write.record({ ...found, forecast }, shown);
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

function addBalance(program: Command, context: Context): void {
  const { session, write } = context;
  const balance = program.command('balance').description('money that pays your invoices before a card does');
  balance
    .command('show', { isDefault: true })
    .description('show the balance and what can be spent of it')
    .action(async () => {
      const { credits, ...found } = await session.run(({ billing }) => billing.balance());
      const autoTopUp = found.auto_top_up && autoTopUpWords(found.auto_top_up);
      write.record({ ...found, credits }, { ...found, auto_top_up: autoTopUp, credits: credits.length });
    });
  balance
    .command('top-up <usd>')
    .description('charge your card for the balance')
    .action(async (amount: string) => {
      const body = { amount_usd: toUsd(amount) };
      write.record(await session.run(({ billing }) => billing.topUp(body)));
    });
  addAutoTopUp(balance, context);
  addBalanceAlerts(balance, context);
}

interface AutoTopUpFlags {
  readonly below: number;
  readonly amount: number;
  readonly monthlyMax: number;
}

function addAutoTopUp(balance: Command, { session, write }: Context): void {
  const autoTopUp = balance.command('auto-top-up').description('automatic top-up: charges your card when money is low');
  autoTopUp
    .command('show', { isDefault: true })
    .description('show when and by how much the balance is topped up')
    .action(async () => {
      const found = await orNothing(session.run(({ billing }) => billing.autoTopUp()));
      if (found === undefined)
        return write.nothing('Automatic top-up is off: `tollgate balance auto-top-up set` turns it on.');
      write.record(found);
    });
  autoTopUp
    .command('set')
    .description('top the balance up automatically when less than an amount is left')
    .requiredOption('--below <usd>', 'top it up when less is left', toUsd)
    .requiredOption('--amount <usd>', 'the amount of each charge', toUsd)
    .requiredOption('--monthly-max <usd>', 'the most that is charged automatically in a calendar month', toUsd)
    .action(async ({ below, amount, monthlyMax }: AutoTopUpFlags) => {
      const body = { below_usd: below, amount_usd: amount, monthly_max_usd: monthlyMax };
      write.record(await session.run(({ billing }) => billing.setAutoTopUp(body)));
    });
  autoTopUp
    .command('remove')
    .description('turn automatic top-up off')
    .action(async () => {
      await session.run(({ billing }) => billing.removeAutoTopUp());
      write.say('Automatic top-up is off.');
    });
}

function addBalanceAlerts(balance: Command, { session, write }: Context): void {
  const alerts = balance.command('alerts').description('low-balance alerts: tell you when little can be spent');
  alerts
    .command('show', { isDefault: true })
    .description('show the amounts below which an alert is raised')
    .action(async () => {
      const { alerts_below_usd: amounts } = await session.run(({ billing }) => billing.balance());
      if (amounts.length === 0)
        return write.nothing('No low-balance alert is set: `tollgate balance alerts set <usd>` sets one.');
      write.record({ below_usd: amounts }, { below_usd: amounts.join(' ') });
    });
  alerts
    .command('set <usd...>')
    .description('raise an alert when less than one of these amounts can be spent; replaces those set before')
    .action(async (amounts: readonly string[]) => {
      const body = { below_usd: amounts.map(toUsd) };
      const set = await session.run(({ billing }) => billing.setBalanceAlerts(body));
      write.record(set, { below_usd: set.below_usd.join(' ') });
    });
  alerts
    .command('remove')
    .description('raise no low-balance alert')
    .action(async () => {
      await session.run(({ billing }) => billing.setBalanceAlerts({ below_usd: [] }));
      write.say('No low-balance alert is set.');
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
