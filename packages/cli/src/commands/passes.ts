import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { collect } from '../collect.ts';

/** Keys to hand out, each for some tools. */
export function addPassCommands(program: Command, { session, write }: Context): void {
  const passes = program.command('passes').description('keys to hand out to agents, each for some tools');
  passes
    .command('list', { isDefault: true })
    .description('list your passes')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.passes.list({ limit: 100 }).toArray());
      write.table(rows, ['id', 'name', 'tools', 'paused', 'expires_at', 'created_at']);
    });
  passes
    .command('create <name>')
    .description('create a pass; its key is shown once')
    .option('--tool <slug>', 'a tool that it may call; again for more; default: all tools', collect, [])
    .option('--key-only', 'print nothing but the key')
    .action(async (name: string, { tool, keyOnly = false }: { tool: string[]; keyOnly?: boolean }) => {
      const body = { name, tools: tool.length > 0 ? tool : ('*' as const) };
      const created = await session.run((tollgate) => tollgate.passes.create(body));
      (keyOnly ? write.key : write.record)(created);
    });
  for (const [verb, paused] of [
    ['pause', true],
    ['resume', false],
  ] as const)
    passes
      .command(`${verb} <id>`)
      .description(paused ? 'refuse its calls until it is resumed' : 'let it pay again')
      .action(async (id: string) =>
        write.record(await session.run((tollgate) => tollgate.passes.update(id, { paused }))),
      );
  passes
    .command('delete <id>')
    .description('revoke a pass')
    .action(async (id: string) => {
      await session.run((tollgate) => tollgate.passes.delete(id));
      write.say('The pass is revoked.');
    });
}
