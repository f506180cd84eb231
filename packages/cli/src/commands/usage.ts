import type { Schemas } from '@tollgate/sdk';
import { type Command, Option } from 'commander';
import type { Context } from '../context.ts';
import { toSparkline } from '../sparkline.ts';

interface UsageOptions {
  readonly from?: string;
  readonly to?: string;
  readonly granularity?: 'hour' | 'day' | 'month';
  readonly role?: 'consumer' | 'builder';
  readonly csv?: boolean;
}

type Usage = Schemas['Usage'];
type Row = Usage['usage'][number];

const stepMs = { hour: 3_600_000, day: 86_400_000 } as const;

/** Sums of calls and money. */
export function addUsage(program: Command, { session, write }: Context): void {
  program
    .command('usage')
    .description('calls and charges per tool, of the current month')
    .option('--from <time>', 'a full hour, as 2026-11-01T00:00:00Z')
    .option('--to <time>', 'a full hour, not included')
    .addOption(new Option('--granularity <unit>', 'split by time').choices(['hour', 'day', 'month']))
    .addOption(
      new Option('--role <role>', 'consumer: your calls, the default; builder: calls of your tools').choices([
        'consumer',
        'builder',
      ]),
    )
    .option('--csv', 'print comma-separated values')
    .action(async ({ csv = false, ...range }: UsageOptions) => {
      const usage = await session.run((tollgate) => tollgate.usage.get({ ...range, group_by: ['tool_id'] }));
      const start = range.granularity === undefined ? [] : ['start'];
      const columns = [...start, 'tool_id', 'calls', 'failures', 'duration_ms', 'charge_usd'];
      if (csv) return write.csv(usage.usage, columns);
      write.table(usage.usage, columns);
      for (const line of chart(usage, range.granularity)) write.say(line);
      if (usage.totals.calls > 0 && usage.totals.charge_usd === 0)
        write.say('Nothing is charged: calls of your own tools are free, and so are tools without a price.');
      write.say(`${usage.totals.calls} calls, counted through ${usage.counted_through}`);
    });
}

/** A line of bars per tool: its calls over time. Hours and days without a call have no row, but a place. */
function chart({ usage }: Usage, granularity: UsageOptions['granularity']): string[] {
  if (granularity !== 'hour' && granularity !== 'day') return [];
  const timeOf = ({ start = '' }: Row): number => Date.parse(start);
  const times = usage.map(timeOf);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  const places = usage.length === 0 ? 0 : (last - first) / stepMs[granularity] + 1;
  const tools = [...new Set(usage.map(({ tool_id: tool = '' }) => tool))];
  const widest = Math.max(...tools.map(({ length }) => length));
  return tools.map((tool) => {
    const calls = Array.from({ length: places }, () => 0);
    for (const row of usage) if (row.tool_id === tool) calls[(timeOf(row) - first) / stepMs[granularity]] = row.calls;
    return `${tool.padEnd(widest)}  ${toSparkline(calls)}`;
  });
}
