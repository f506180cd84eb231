import { setTimeout as wait } from 'node:timers/promises';
import { traceText } from '@tollgate/kernel/trace-text';
import type { Schemas } from '@tollgate/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';

type CountedEvent = Schemas['CountedEvent'];
type Role = 'consumer' | 'builder';

interface TailOptions {
  readonly role: Role;
  readonly for?: string;
  readonly count?: string;
}

const pollEveryMs = 1_000;
const knownMax = 10_000;
const pageMax = 100;
const columns = ['timestamp', 'tool_id', 'success', 'duration_ms', 'event_id'];

export function addEventCommands(program: Command, context: Context): void {
  const { session, write } = context;
  const events = program.command('events').description('counted events');
  events
    .command('list', { isDefault: true })
    .description('list the newest counted events')
    .option('--limit <number>', 'number of events, up to 100', '20')
    .addOption(roleOption())
    .action(async ({ limit, role }: { limit: string; role: Role }) => {
      const page = await session.run((tollgate) => tollgate.events.list({ limit: Number(limit), role }).firstPage());
      write.table(page.events, columns);
    });
  events
    .command('tail')
    .description('print events as they are counted, until Ctrl-C; with --json one per line')
    .option('--for <seconds>', 'stop after this time')
    .option('--count <number>', 'stop after this many events')
    .addOption(roleOption())
    .action((options: TailOptions) => tail(context, options));
  program
    .command('trace <event_id>')
    .description('follow a call to its invoice and its payout')
    .action(async (eventId: string) => {
      const trace = await session.run((tollgate) => tollgate.events.trace(eventId));
      write.text(trace, traceText(trace));
    });
}

function roleOption(): Option {
  const option = new Option('--role <role>', 'consumer: your calls; builder: calls of your tools');
  return option.choices(['consumer', 'builder']).default('consumer');
}

/** Asks each second, and prints what is new, the oldest first. What was there before is not printed. */
async function tail({ session, write }: Context, options: TailOptions): Promise<void> {
  const { role } = options;
  const secondsMax = Number(options.for ?? Number.POSITIVE_INFINITY);
  const countMax = Number(options.count ?? Number.POSITIVE_INFINITY);
  const { events: before } = await session.run((tollgate) =>
    tollgate.events.list({ limit: pageMax, role }).firstPage(),
  );
  const isAll = before.length < pageMax;
  const from = isAll ? undefined : before.at(-1)?.timestamp; // events before it are old, whether known or not
  const known = new Set(before.map(({ event_id: id }) => id).reverse());
  write.note('Waiting for events.');

  for (let [seconds, count] = [0, 0]; seconds < secondsMax && count < countMax; seconds += 1) {
    await wait(pollEveryMs);
    const fresh = await session.run((tollgate) =>
      readFresh(tollgate.events.list({ limit: pageMax, role, ...(from !== undefined && { from }) }), known),
    );
    for (const event of fresh.slice(0, countMax - count)) write.line(event, columns);
    count += fresh.length;
    remember(known, fresh);
  }
}

/**
 * The events that are not known, the oldest first. A list is by the time of the call, and calls are counted in another
 * order, so one known event is no end; so many in a row are.
 */
async function readFresh(list: AsyncIterable<CountedEvent>, known: ReadonlySet<string>): Promise<CountedEvent[]> {
  const fresh: CountedEvent[] = [];
  let knownInARow = 0;
  for await (const event of list) {
    if (!known.has(event.event_id)) {
      fresh.push(event);
      knownInARow = 0;
    } else if ((knownInARow += 1) === pageMax) break;
  }
  return fresh.reverse();
}

function remember(known: Set<string>, events: readonly CountedEvent[]): void {
  for (const { event_id: id } of events) known.add(id);
  for (const id of known) {
    if (known.size <= knownMax) break;
    known.delete(id); // the one that was seen first
  }
}
