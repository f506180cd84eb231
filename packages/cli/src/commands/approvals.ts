import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { approvalWords } from '../words.ts';

const columns = ['pass_name', 'tool_id', 'at_most_usd', 'beyond_cap_usd', 'cap', 'expires_at', 'id'];

/** Calls that the limits of a pass refused, and that its owner may let through. */
export function addApprovalCommands(program: Command, { session, write }: Context): void {
  const approvals = program
    .command('approvals')
    .description('calls that the limits of your passes refused, for you to decide');
  approvals
    .command('list', { isDefault: true })
    .description('list those that wait for your answer')
    .action(async () => {
      const rows = await session.run((tollgate) => tollgate.approvals.list({ limit: 100 }).toArray());
      write.table(rows, columns, approvalWords);
    });
  for (const [verb, what] of [
    ['approve', 'let the next such call through, once and within ten minutes'],
    ['refuse', 'refuse it, and be asked no more until it would have expired'],
  ] as const)
    approvals
      .command(`${verb} <id>`)
      .description(`${what}; needs a session (tollgate login), no API key`)
      .action(async (id: string) => {
        const answered = await session.run((tollgate) => tollgate.approvals[verb](id));
        write.record(answered, approvalWords(answered));
      });
}
