import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Context } from '../context.ts';

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly granularity?: 'hour' | 'day' | 'month';
  readonly role?: 'consumer' | 'builder';
}

const pollEveryMs = 1_000;

export function addUsageCommands(program: Command, context: Context): void {
  const { session, write } = context;
  program
    .command('usage')
    .description('calls and charges per tool, of the current month')
    .option('--from <time>', 'a full hour, as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'a full hour, not included')
    .option('--granularity <unit>', 'split by hour, day or month')
    .option('--role <role>', 'consumer (your calls, the default) or builder (calls of your tools)')
    .action(async (options: UsageOptions) => {
      const usage = await session.run((tollgate) => tollgate.usage.get({ ...options, group_by: ['tool_id'] }));
      const start = options.granularity === undefined ? [] : ['start'];
      write.table(usage.usage, [...start, 'tool_id', 'calls', 'failures', 'duration_ms', 'charge_usd']);
      write.say(`${usage.totals.calls} calls, counted through ${usage.counted_through}`);
    });

  const events = program.command('events').description('counted events');
  events
    .command('list', { isDefault: true })
    .description('list the newest counted events')
    .option('--limit <number>', 'how many, up to 100', '20')
    .action(async ({ limit }: { limit: string }) => {
      const page = await session.run((tollgate) => tollgate.events.list({ limit: Number(limit) }).firstPage());
      write.table(page.events, eventColumns);
    });
  events
    .command('tail')
    .description('print events as they are counted, until Ctrl-C')
    .option('--for <seconds>', 'stop after so long')
    .action((options: { for?: string }) => tail(context, Number(options.for ?? Number.POSITIVE_INFINITY)));
}

const eventColumns = ['timestamp', 'tool_id', 'success', 'duration_ms', 'event_id'];

/** Asks for the newest page again and again, and prints what it has not printed. */
async function tail({ session, write }: Context, seconds: number): Promise<void> {
  const seen = new Set<string>();
  for (let polls = 0; polls < seconds; polls += 1) {
    const { events } = await session.run((tollgate) => tollgate.events.list({ limit: 100 }).firstPage());
    const fresh = events.filter(({ event_id: id }) => !seen.has(id)).reverse();
    for (const event of fresh) {
      seen.add(event.event_id);
      if (polls > 0) write.line(event, eventColumns);
    }
    await wait(pollEveryMs);
  }
}
