import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readInputs } from './inputs.ts';
import { putTables } from './put-tables.ts';
import { renderTables } from './render-tables.ts';

const helpText = `pnpm scale: computes what other rates need, from the measured CPU per event

  --write          writes the tables of docs/scale.md anew
  --inputs <file>  prices and plan of your own, instead of bench/scale/inputs.json; prints the tables
  --help           this text

Costs are in bench/scale/costs.json, each with its source.
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
      write: { type: 'boolean' },
      inputs: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help) return void process.stdout.write(helpText);
  if (values.write && values.inputs !== undefined) throw new Error('--write takes the committed inputs alone');
  const tables = renderTables(readInputs(values.inputs));
  if (values.write) return writeFileSync(page, putTables(readFileSync(page, 'utf8'), tables));
  for (const [name, table] of tables) process.stdout.write(`## ${name}\n\n${table}\n\n`);
}
