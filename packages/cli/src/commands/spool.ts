import { Meter, spoolStatus } from '@tollgate/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';

const sendTimeoutMs = 600_000;

/** The folder in which a meter keeps events until Tollgate has them. */
export function addSpoolCommands(program: Command, { session, write }: Context): void {
  const spool = program.command('spool').description('a folder of events that wait to be sent');
  spool
    .command('status <dir>')
    .description('count the events that wait, and change nothing')
    .action(async (dir: string) => write.record(await spoolStatus(dir)));
  spool
    .command('send <dir>')
    .description('send what dead programs left there; living ones send their own')
    .action(async (dir: string) => {
      const tollgate = session.client();
      await tollgate.auth.account(); // a wrong key is said at once, and not after ten minutes
      // The answer of `close` says what a warning would.
      const meter = await Meter.open({ dir, tollgate, onWarning: () => undefined });
      const { left, others, reason } = await meter.close({ timeoutMs: sendTimeoutMs });
      const { sent, duplicates, rejected, lastError } = meter.stats();
      write.record({ sent, duplicates, rejected, left, others });
      if (left > 0) throw lastError ?? new Error(`${left} events wait: ${reason}`);
      if (others > 0) write.note(`${others} events wait: ${reason}`);
    });
}
