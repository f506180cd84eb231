import { systemClock } from '@tollgate/kernel/clock';
import { sayDuration } from '@tollgate/kernel/durations';
import { spoolStatus, TollgateError } from '@tollgate/sdk';
import type { Command } from 'commander';
import type { Context } from '../context.ts';

interface Finding {
  readonly check: string;
  readonly result: 'ok' | 'failed' | 'skipped';
  readonly detail: string;
}

const skewMaxMs = 60_000;

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
    const detail =
      error instanceof TollgateError ? error.detail : error instanceof Error ? error.message : String(error);
    return { check, result: 'failed', detail };
  }
}

/**
 * An event more than 24 hours old by the service's clock is refused. That of a sandbox may have been moved: then `now` of
 * the service is another time than the `Date` that its machine writes.
 */
async function checkClock(url: string): Promise<string> {
  const answer = await fetch(new URL('livez', `${url}/`), { signal: AbortSignal.timeout(5_000) });
  const { now = '' } = (await answer.json()) as { now?: string };
  const aheadMs = Date.parse(now) - systemClock.now();
  if (Number.isNaN(aheadMs)) throw new Error('the service did not send its time');
  const text = `${sayDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this one`;
  if (Math.abs(aheadMs) <= skewMaxMs) return `the service's is ${text}`;
  const machineMs = Date.parse(answer.headers.get('date') ?? '') - systemClock.now();
  if (!(Math.abs(machineMs) <= skewMaxMs)) throw new Error(`the service's clock is ${text}: one of the two is wrong`);
  const advice = aheadMs > 0 ? '. Events of now are refused: start on a fresh data folder (--data) for real time' : '';
  throw new Error(`the service's sandbox clock was moved: it is ${now} there, ${text}${advice}`);
}
