import { renderTable } from '../render-table.ts';
import { ceilingsOf, partitionMicros } from './ceilings.ts';
import { costs as committed, efficiencyOf, stageCostsOf, type Costs, type Mode } from './costs.ts';
import type { Inputs } from './inputs.ts';
import { stepOf, type Step } from './scale-steps.ts';

const rates = [10_000, 100_000, 1_000_000];
const modes: readonly Mode[] = ['single', 'batch'];
const titles = { single: 'Single events', batch: 'Batches of 100' };

/** The tables of docs/scale.md, by the name that stands in its markers. */
export function renderTables(inputs: Inputs, costs: Costs = committed): ReadonlyMap<string, string> {
  return new Map([
    ['stages', renderStages(costs)],
    ...modes.map((mode): [string, string] => [`steps-${mode}`, renderSteps(mode, inputs, costs)]),
    ...modes.map((mode): [string, string] => [`ceilings-${mode}`, renderCeilings(mode, inputs, costs)]),
    ['breaks', renderBreaks(inputs, costs)],
    ['closing', renderClosing(costs)],
    ['inputs', renderInputs(inputs)],
  ]);
}

function renderStages(costs: Costs): string {
  const rows = (['standalone', 'distributed'] as const).flatMap((shape) =>
    modes.map((mode) => [`${shape} ${mode}`, ...Object.values(stageCostsOf(shape, mode, costs)).map(short)]),
  );
  const head = [
    'µs of CPU per event',
    'gateway',
    'Redis',
    'look-up',
    'append',
    'fetch',
    'count in Node',
    'count in PostgreSQL',
  ];
  const efficiency = `A thread that is never idle gets ${short(efficiencyOf(costs))} of a core: ${costs.machine.echoPerSecond} answers × ${costs.machine.echoCpuMicros} µs of the echo. Each partition is read every ${costs.counting.paceMicros.standalone / 1_000} ms under load, in Kafka every ${costs.counting.paceMicros.distributed / 1_000}. One event more takes its partition ${short(partitionMicros('batch', costs))} µs (batch) of time.`;
  return `${renderTable(head, rows)}\n\n${efficiency}`;
}

const stepLines: readonly (readonly [string, (step: Step) => string])[] = [
  ['Gateways', ({ gateways }) => whole(gateways)],
  ['Redis processes', ({ redis }) => whole(redis)],
  ['Brokers', ({ brokers }) => whole(brokers)],
  ['Partitions', ({ partitions }) => whole(partitions)],
  ['Aggregators', ({ aggregators }) => whole(aggregators)],
  ['PostgreSQL primaries for CPU', ({ primaries }) => whole(primaries.forCpu)],
  ['PostgreSQL primaries for the write-ahead log', ({ primaries }) => whole(primaries.forWal)],
  ['PostgreSQL primaries for a year of keys', ({ primaries }) => whole(primaries.forKeys)],
  ['Cores in use', ({ busyCores }) => short(busyCores)],
  ['Cores to have', ({ cores }) => whole(cores)],
  ['Write-ahead log', ({ walMegabytesPerSecond }) => `${short(walMegabytesPerSecond)} MB/s`],
  ['Network', ({ networkMegabytesPerSecond }) => `${short(networkMegabytesPerSecond)} MB/s`],
  ['Written to disks, at most', ({ diskGbPerDay }) => `${short(diskGbPerDay / 1_000)} TB per day`],
  ['Kept on disks, at most', ({ heldTerabytes }) => `${short(heldTerabytes)} TB`],
  ['New keys, if each event has one', ({ keysPerDay }) => `${short(keysPerDay / 1e9)} G per day`],
  ['A thousand million keys after', ({ secondsToThousandMillionKeys }) => duration(secondsToThousandMillionKeys)],
  ['Memory for a year of archived keys', ({ archivedKeyMemoryGbPerYear }) => `${short(archivedKeyMemoryGbPerYear)} GB`],
  ['USD per million: cores', ({ usdPerMillion }) => usd(usdPerMillion.cores)],
  ['USD per million: disks', ({ usdPerMillion }) => usd(usdPerMillion.disk)],
  ['USD per million: network', ({ usdPerMillion }) => usd(usdPerMillion.network)],
  ['**USD per million events**', ({ usdPerMillion: { cores, disk, network } }) => `**${usd(cores + disk + network)}**`],
];

function renderSteps(mode: Mode, inputs: Inputs, costs: Costs): string {
  const steps = rates.map((rate) => stepOf(rate, mode, inputs, costs));
  const head = [titles[mode], ...steps.map(({ eventsPerSecond }) => `${whole(eventsPerSecond)}/s`)];
  return renderTable(
    head,
    stepLines.map(([name, textOf]) => [name, ...steps.map(textOf)]),
  );
}

function renderCeilings(mode: Mode, inputs: Inputs, costs: Costs): string {
  return renderTable(
    [titles[mode], 'Arithmetic', 'Full at, events/s'],
    ceilingsOf(mode, inputs, costs).map(({ part, arithmetic, eventsPerSecond }) => [
      part,
      arithmetic,
      whole(eventsPerSecond),
    ]),
  );
}

/** Names, for each step, the parts that are full before its rate is reached, and were not full before the step. */
function renderBreaks(inputs: Inputs, costs: Costs): string {
  const partsBetween = (from: number, to: number, mode: Mode): string =>
    ceilingsOf(mode, inputs, costs)
      .filter(({ eventsPerSecond }) => eventsPerSecond > from && eventsPerSecond <= to)
      .map(({ part, eventsPerSecond }) => `${part} (${whole(eventsPerSecond)})`)
      .join(', then ');
  return renderTable(
    ['On the way to', ...modes.map((mode) => titles[mode])],
    rates.map((to, at) => [`${whole(to)}/s`, ...modes.map((mode) => partsBetween(rates[at - 1] ?? 0, to, mode))]),
  );
}

function renderClosing({ closing }: Costs): string {
  const perSecond = closing.pairs / closing.seconds;
  return renderTable(
    ['(consumer, tool) pairs of a month', `Time at ${whole(Math.round(perSecond / 100) * 100)} pairs per second`],
    [1e5, 1e6, 1e7, 1e8].map((pairs) => [whole(pairs), duration(pairs / perSecond)]),
  );
}

function renderInputs({ prices, plan }: Inputs): string {
  const lines = [...Object.entries(prices), ...Object.entries(plan)].map(([name, value]) => [
    `\`${name}\``,
    String(value),
  ]);
  return renderTable(['Input', 'Value'], lines);
}

const whole = (value: number): string => String(Math.round(value)).replaceAll(/\B(?=(\d{3})+$)/g, ',');
const short = (value: number): string => (value >= 1_000 ? whole(value) : String(Number(value.toPrecision(3))));
const usd = (value: number): string => value.toPrecision(2);

function duration(seconds: number): string {
  if (seconds < 120) return `${short(seconds)} s`;
  if (seconds < 7_200) return `${short(seconds / 60)} min`;
  return seconds < 172_800 ? `${short(seconds / 3_600)} h` : `${short(seconds / 86_400)} days`;
}
