import { type Command, Option } from 'commander';
import { collect } from '../collect.ts';
import type { Context } from '../context.ts';
import { toTime } from '../to-time.ts';
import { toUsd } from '../usd.ts';
import { ownPassWords } from '../words.ts';

interface NewChild {
  readonly name?: string;
  readonly tool: readonly string[];
  readonly cap: number;
  readonly window: 'day' | 'month' | 'total';
  readonly perCallMax?: number;
  readonly expires: string;
  readonly keyOnly?: boolean;
}

const columns = ['name', 'tools', 'low', 'expires_at', 'paused', 'id'];

/** An agent divides its budget: these commands run with its pass as TOLLGATE_API_KEY. */
export function addChildPassCommands(passes: Command, { session, write }: Context): void {
  const children = passes
    .command('children')
    .description('parts of a pass for its helpers; TOLLGATE_API_KEY is the pass itself');
  children
    .command('list', { isDefault: true })
    .description('list the children of the pass')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.passes.children({ limit: 100 }).toArray());
      write.table(rows, columns, ownPassWords);
    });
  children
    .command('create')
    .description('create a child of the pass; its key is shown once')
    .requiredOption('--cap <usd>', 'the most that its calls may cost in a window', toUsd)
    .addOption(
      new Option('--window <window>', 'when the cap resets').choices(['day', 'month', 'total']).default('total'),
    )
    .requiredOption('--expires <when>', 'when it ends: after 30d, 12h or 15m, or a time; no later than the pass')
    .option('--name <name>', 'for the owner of the pass; default: that of the pass')
    .option('--tool <slug>', 'a tool that it may call; again for more; default: all of the pass', collect, [])
    .option('--per-call-max <usd>', 'the most that one call may cost', toUsd)
    .option('--key-only', 'print nothing but the key')
    .action(async ({ name, tool, cap, window, perCallMax, expires, keyOnly }: NewChild) => {
      const created = await session.run(async (tollgate) =>
        tollgate.passes.createChild({
          ...(name !== undefined && { name }),
          tools: tool.length > 0 ? [...tool] : '*',
          cap: { amount_usd: cap, window },
          ...(perCallMax !== undefined && { per_call_max_usd: perCallMax }),
          expires_at: await toTime(expires, tollgate),
        }),
      );
      if (keyOnly === true) write.key(created);
      else write.record(created, ownPassWords(created));
    });
}
