import type { Command } from 'commander';
import type { Context } from '../context.ts';

interface NewTool {
  readonly name?: string;
  readonly perCall?: string;
}

export function addToolCommands(program: Command, { session, write }: Context): void {
  const tools = program.command('tools').description('tools and their prices');
  tools
    .command('list', { isDefault: true })
    .description('list your tools')
    .option('--all', 'the tools of everybody')
    .action(async ({ all }: { all?: boolean }) => {
      const owner = all ? { owner: 'all' as const } : {};
      const rows = await session.run((tollgate) => tollgate.tools.list({ limit: 100, ...owner }).toArray());
      write.table(rows, ['slug', 'name', 'archived', 'created_at']);
    });
  tools
    .command('create <slug>')
    .description('register a tool')
    .option('--name <name>', 'default: the slug')
    .option('--per-call <usd>', 'the price of a call, as 0.002; default: free', '0')
    .action(async (slug: string, { name = slug, perCall = '0' }: NewTool) => {
      const body = { slug, name, price: { per_call_usd: perCall } };
      write.record(await session.run((tollgate) => tollgate.tools.create(body)));
    });
  tools
    .command('get <slug>')
    .description('show a tool with its price')
    .action(async (slug: string) => write.record(await session.run((tollgate) => tollgate.tools.get(slug))));
  tools
    .command('archive <slug>')
    .description('end a tool for good')
    .action(async (slug: string) => write.record(await session.run((tollgate) => tollgate.tools.archive(slug))));
}
