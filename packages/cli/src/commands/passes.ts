import type { Schemas, Tollgate } from '@tollgate/sdk';
import { type Command, Option } from 'commander';
import { collect } from '../collect.ts';
import type { Context } from '../context.ts';
import { toTime } from '../to-time.ts';
import { toUsd } from '../usd.ts';
import { passWords } from '../words.ts';
import { addChildPassCommands } from './child-passes.ts';

interface NewPass {
  readonly tool: readonly string[];
  readonly cap?: number;
  readonly window: 'day' | 'month' | 'total';
  readonly perCallMax?: number;
  readonly approveAbove?: number;
  readonly expires?: string;
  readonly keyOnly?: boolean;
}

const columns = ['name', 'tools', 'cap', 'remaining_usd', 'per_call_max_usd', 'expires_at', 'paused', 'id'];

/** Keys to hand out, each for some tools. */
export function addPassCommands(program: Command, context: Context): void {
  const { session, write } = context;
  const passes = program.command('passes').description('keys to hand out to agents, each for some tools');
  passes
    .command('list', { isDefault: true })
    .description('list your passes')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.passes.list({ limit: 100 }).toArray());
      write.table(rows, columns, passWords);
    });
  passes
    .command('create <name>')
    .description('create a pass; its key is shown once')
    .option('--tool <slug>', 'a tool that it may call; again for more; default: all tools', collect, [])
    .option('--cap <usd>', 'the most that its calls may cost in a window; default: no cap', toUsd)
    .addOption(
      new Option('--window <window>', 'when the cap resets').choices(['day', 'month', 'total']).default('month'),
    )
    .option('--per-call-max <usd>', 'the most that one call may cost', toUsd)
    .option('--approve-above <usd>', 'ask you before a call that may cost more', toUsd)
    .option('--expires <when>', 'when it ends: after 30d, 12h or 15m, or a time such as 2027-01-01T00:00:00Z')
    .option('--key-only', 'print nothing but the key')
    .action(async (name: string, options: NewPass) => {
      const created = await session.run(async (tollgate) =>
        tollgate.passes.create(await toNewPass(name, options, tollgate)),
      );
      if (options.keyOnly === true) return write.key(created);
      write.record(created, passWords(created));
      if (created.cap === null) write.note('It has no cap: calls with it may cost any amount. --cap sets one.');
    });
  for (const [verb, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const)
    passes
      .command(`${verb} <id>`)
      .description(paused ? 'refuse its calls until it is resumed' : 'let it pay again')
      .action(async (id: string) => {
        const changed = await session.run((tollgate) => tollgate.passes.update(id, { paused }));
        write.record(changed, passWords(changed));
      });
  passes
    .command('delete <id>')
    .description('revoke a pass')
    .action(async (id: string) => {
      await session.run((tollgate) => tollgate.passes.delete(id));
      write.say('The pass is revoked.');
    });
  addChildPassCommands(passes, context);
}

async function toNewPass(name: string, options: NewPass, tollgate: Tollgate): Promise<Schemas['NewPass']> {
  const { tool, cap, window, perCallMax, approveAbove, expires } = options;
  return {
    name,
    tools: tool.length > 0 ? [...tool] : '*',
    ...(cap !== undefined && { cap: { amount_usd: cap, window } }),
    ...(perCallMax !== undefined && { per_call_max_usd: perCallMax }),
    ...(approveAbove !== undefined && { approve_above_usd: approveAbove }),
    ...(expires !== undefined && { expires_at: await toTime(expires, tollgate) }),
  };
}
