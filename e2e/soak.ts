import { parseArgs } from 'node:util';
import setUpCluster from '@tollgate/testkit/jest/global-setup';
import tearDownCluster from '@tollgate/testkit/jest/global-teardown';
import { seededRandom } from '@tollgate/testkit/seeded-random';
import { soakMoney } from '../services/billing/src/testing/money-simulation/soak-money.ts';

const help = `Usage: pnpm soak money [--minutes 60]

Plays random worlds of invoices, payments, refunds, disputes and payouts, whose process dies again and again, and compares
all books with a model in plain sums. Prints its seed first; FAULT_SEED=<seed> plays the same worlds again.
Ends with 1 if a single micro-dollar has drifted.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { minutes: { type: 'string', default: '60' }, help: { type: 'boolean', default: false } },
});
const minutes = Number(values.minutes);
if (values.help || positionals[0] !== 'money' || !(minutes > 0)) {
  process.stdout.write(help);
  process.exitCode = values.help ? 0 : 2;
} else {
  setUpCluster();
  const say = (line: string) => void process.stdout.write(`${line}\n`);
  const isEqual = await soakMoney({ random: seededRandom('money soak'), minutes, say });
  await tearDownCluster();
  process.exitCode = isEqual ? 0 : 1;
}
