import { systemClock } from '@tollgate/kernel/clock';
import { spoolStatus, TollgateError } from '@tollgate/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';

interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'failed' | 'skipped';
  readonly detail: string;
}

const skewSecondsMax = 60;

/** Checks what must be right for a program to meter its calls. */
export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('check that Tollgate can be reached, the credential, the clock and a spool folder')
    .option('--spool <dir>', 'a spool folder')
    .action(async ({ spool }: { spool?: string }) => {
      const findings = await examine(context, spool);
      context.write.table(findings, ['check', 'result', 'detail']);
      const failed = findings.filter(({ result }) => result === 'failed');
      if (failed.length > 0) throw new Error(`${failed.length} of ${findings.length} checks failed`);
    });
}

async function examine({ session }: Context, spool: string | undefined): Promise<Finding[]> {
  const stranger = session.stranger();
  return [
    await find('service', async () => {
      await stranger.service.ready({ retries: 0 });
      return `${stranger.url} can do its work`;
    }),
    await find('credential', async () => `account ${(await session.run(({ auth }) => auth.account())).account_id}`),
    await find('clock', () => checkClock(stranger.url)),
    spool === undefined
      ? { check: 'spool', result: 'skipped', detail: 'name a folder with --spool' }
      : await find('spool', async () => JSON.stringify(await spoolStatus(spool))),
  ];
}

async function find(check: string, examineOne: () => Promise<string>): Promise<Finding> {
  try {
    return { check, result: 'ok', detail: await examineOne() };
  } catch (error) {
    const detail = error instanceof TollgateError ? error.detail : String(error);
    return { check, result: 'failed', detail };
  }
}

/** An event more than 24 hours old by the service's clock is refused. */
async function checkClock(url: string): Promise<string> {
  const { headers } = await fetch(new URL('livez', `${url}/`), { signal: AbortSignal.timeout(5_000) });
  const there = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(there)) throw new Error('the service did not say its time');
  const seconds = Math.round((systemClock.now() - there) / 1000);
  if (Math.abs(seconds) > skewSecondsMax) throw new Error(`this clock is ${seconds} s ahead of the service's`);
  return `${seconds} s ahead of the service's`;
}
