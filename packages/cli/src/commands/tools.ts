import type { Schemas } from '@tollgate/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { priceWords } from '../words.ts';

interface NewTool {
  readonly name?: string;
  readonly perCall?: string;
}

interface ToolChange {
  readonly name?: string;
  /** False by `--no-resource`. */
  readonly resource?: string | false;
}

const withPriceWords = <Priced extends { readonly price: Schemas['Price'] }>(priced: Priced): object => ({
  ...priced,
  price: priceWords(priced.price),
});

export function addToolCommands(program: Command, { session, write }: Context): void {
  const tools = program.command('tools').description('tools and their prices');
  tools
    .command('list', { isDefault: true })
    .description('list your tools')
    .option('--all', 'the tools of everybody')
    .action(async ({ all }: { all?: boolean }) => {
      const owner = all ? { owner: 'all' as const } : {};
      const rows = await session.run((tollgate) => tollgate.tools.list({ limit: 100, ...owner }).toArray());
      write.table(rows, ['slug', 'name', 'price', 'archived', 'created_at'], withPriceWords);
    });
  tools
    .command('create <slug>')
    .description('register a tool')
    .option('--name <name>', 'default: the slug')
    .option('--per-call <usd>', 'the price of a call, as 0.002; default: free', '0')
    .action(async (slug: string, { name = slug, perCall = '0' }: NewTool) => {
      const body = { slug, name, price: { per_call_usd: perCall } };
      const tool = await session.run((tollgate) => tollgate.tools.create(body));
      write.record(tool, withPriceWords(tool));
      write.note('Your own calls of it are free. Calls of other accounts, and with their passes, cost this price.');
    });
  tools
    .command('get <slug>')
    .description('show a tool with its price')
    .action(async (slug: string) => {
      const tool = await session.run((tollgate) => tollgate.tools.get(slug));
      write.record(tool, withPriceWords(tool));
    });
  tools
    .command('update <slug>')
    .description('change a tool')
    .option('--name <name>', 'its name, for people')
    .option('--resource <url>', 'the URL of the MCP server that serves it; the server must name your account')
    .option('--no-resource', 'no OAuth token opens it any more')
    .action(async (slug: string, { name, resource }: ToolChange) => {
      const body = {
        ...(name !== undefined && { name }),
        ...(resource !== undefined && { resource: resource || null }),
      };
      const tool = await session.run((tollgate) => tollgate.tools.update(slug, body));
      write.record(tool, withPriceWords(tool));
    });
  tools
    .command('archive <slug>')
    .description('end a tool for good')
    .action(async (slug: string) => {
      const tool = await session.run((tollgate) => tollgate.tools.archive(slug));
      write.record(tool, withPriceWords(tool));
    });
  program
    .command('prices <slug>')
    .description('list the prices of a tool, the newest first')
    .action(async (slug: string) => {
      const rows = await session.run((tollgate) => tollgate.tools.prices(slug, { limit: 100 }).toArray());
      write.table(rows, ['effective_from', 'price', 'id'], (row: Schemas['PriceVersion']) => ({
        ...withPriceWords(row),
        effective_from: row.effective_from ?? 'the beginning',
      }));
    });
}
