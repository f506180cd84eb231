import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readResult } from '../result-files.ts';
import { costs, costsFile } from './costs.ts';
import { readInputs } from './inputs.ts';
import { putTables } from './put-tables.ts';
import { renderTables } from './render-tables.ts';
import { takeCosts } from './take-costs.ts';

const helpText = `pnpm sim: simulates the path of an event, and computes what other rates need

  --take           takes rates and CPU of bench/sim/costs.json from bench/results (R3, R3b, R8a to R8d)
  --write          writes the tables of docs/scale.md anew
  --inputs <file>  prices and plan of your own, instead of bench/sim/inputs.json; prints the tables
  --help           this text

Costs are in bench/sim/costs.json, each with its source. The seed is fixed: the same files give the same tables.
`;
const page = new URL('../../docs/scale.md', import.meta.url);

try {
  run();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${helpText}`);
  process.exitCode = 2;
}

function run(): void {
  const { values } = parseArgs({
    args: process.argv.slice(2).filter((arg) => arg !== '--'),
    options: {
      take: { type: 'boolean' },
      write: { type: 'boolean' },
      inputs: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(helpText);
  if (values.take && values.write) throw new Error('--take first, then --write');
  if (values.take) return writeFileSync(costsFile, `${JSON.stringify(takeCosts(costs, readResult), undefined, 2)}\n`);
  if (values.write && values.inputs !== undefined) throw new Error('--write takes the committed inputs alone');
  const tables = renderTables(readInputs(values.inputs));
  if (values.write) return writeFileSync(page, putTables(readFileSync(page, 'utf8'), tables));
  for (const [name, table] of tables) process.stdout.write(`## ${name}\n\n${table}\n\n`);
}
