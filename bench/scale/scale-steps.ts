import { eventBody } from '../load/event-body.ts';
import { cpuOf, aggregatorMicros, partitionsPerAggregator } from './ceilings.ts';
import { costs as committed, efficiencyOf, type Costs, type Mode } from './costs.ts';
import type { Inputs } from './inputs.ts';
import { keyedPerSecondMax } from './key-room.ts';

/** The machines that a rate of events needs, distributed. Machines are whole; money and bytes are not. */
export interface Step {
  readonly eventsPerSecond: number;
  readonly gateways: number;
  readonly redis: number;
  readonly brokers: number;
  readonly partitions: number;
  readonly aggregators: number;
  /** PostgreSQL primaries, by what each of them has too little of. The largest counts. */
  readonly primaries: { readonly forCpu: number; readonly forWal: number; readonly forKeys: number };
  readonly busyCores: number;
  readonly cores: number;
  readonly walMegabytesPerSecond: number;
  readonly networkMegabytesPerSecond: number;
  readonly diskGbPerDay: number;
  readonly heldTerabytes: number;
  readonly keysPerDay: number;
  readonly secondsToThousandMillionKeys: number;
  readonly archivedKeyMemoryGbPerYear: number;
  readonly usdPerMillion: { readonly cores: number; readonly disk: number; readonly network: number };
}

const eventsPerRequest = { single: 1, batch: 100 };
const daySeconds = 86_400;
const monthSeconds = 30 * daySeconds;

export function stepOf(rate: number, mode: Mode, inputs: Inputs, costs: Costs = committed): Step {
  const { plan } = inputs;
  const cpu = cpuOf(mode, costs);
  const usable = efficiencyOf(costs) * plan.useOfCapacity;
  const threads = (micros: number): number => Math.max(1, Math.ceil((rate * micros) / 1e6 / usable));
  const machines = (micros: number, cores: number): number => Math.ceil((rate * micros) / 1e6 / usable / cores);
  const forCpu = machines(cpu('postgres'), plan.coresPerPostgres);
  const walMegabytesPerSecond = (rate * costs.bytes.walPerEvent) / 1e6;
  const forKeys = Math.ceil(rate / keyedPerSecondMax(inputs, costs));
  const forWal = Math.ceil(walMegabytesPerSecond / plan.useOfCapacity / plan.walMegabytesPerSecondPerPostgres);
  const kafka = cpu('kafka') * plan.copiesOfLog;
  const busyCores = (rate * (sumOf(costs, mode) - cpu('others') - cpu('kafka') + kafka)) / 1e6;
  const bytes = bytesOf(mode, inputs, costs);
  const aggregators = Math.ceil((rate * aggregatorMicros(mode, costs)) / 1e6 / plan.useOfCapacity);
  return {
    eventsPerSecond: rate,
    gateways: threads(cpu('gateway')),
    redis: threads(cpu('redis')),
    brokers: Math.max(plan.copiesOfLog, machines(kafka, plan.coresPerBroker)),
    partitions: aggregators * partitionsPerAggregator,
    aggregators,
    primaries: { forCpu, forWal, forKeys },
    busyCores,
    cores: Math.ceil(busyCores / usable),
    walMegabytesPerSecond,
    networkMegabytesPerSecond: (rate * bytes.network) / 1e6,
    diskGbPerDay: (rate * daySeconds * bytes.disk) / 1e9,
    heldTerabytes: (rate * daySeconds * bytes.held) / 1e12,
    keysPerDay: rate * daySeconds,
    secondsToThousandMillionKeys: 1e9 / rate,
    archivedKeyMemoryGbPerYear: (rate * daySeconds * 365 * costs.bytes.memoryPerArchivedKey) / 1e9,
    usdPerMillion: moneyOf(busyCores / usable / rate, bytes, inputs),
  };
}

/** Bytes per event: written each day, held when each kind is as old as it gets (bytes × days), sent between machines. */
function bytesOf(mode: Mode, { plan }: Inputs, { bytes }: Costs) {
  const log = bytes.recordInLog * plan.copiesOfLog;
  const tables = bytes.walPerEvent * plan.copiesOfPostgres; // no byte of a table is written without its log
  const disk = log + tables + bytes.walPerEvent;
  const keys = bytes.keyInTable * plan.copiesOfPostgres * plan.keyDaysInTable;
  const held = log * plan.logDays + tables * plan.eventDays + keys;
  const objects = bytes.walPerEvent * plan.walArchiveDays;
  const request = plan.headBytesPerRequest / eventsPerRequest[mode] + bodyBytes;
  const network =
    request + log + bytes.recordInLog + bytes.recordInLog + bytes.walPerEvent * (plan.copiesOfPostgres - 1);
  return { disk, held: held + objects, blockDays: held, objectDays: objects, network };
}

/** The event that all benches send. */
const bodyBytes = Buffer.byteLength(
  eventBody('translate', '0123456789abcdef01234567-000000000001', '2026-11-22T00:00:00Z'),
);

function moneyOf(coreSecondsPerEvent: number, bytes: ReturnType<typeof bytesOf>, { prices }: Inputs) {
  const gbPerMillion = (perEvent: number): number => perEvent / 1e3; // a million bytes are a thousandth of a GB
  const months = (byteDays: number): number => (gbPerMillion(byteDays) * daySeconds) / monthSeconds;
  return {
    cores: (coreSecondsPerEvent * 1e6 * prices.coreHourUsd) / 3_600,
    disk: months(bytes.blockDays) * prices.diskGbMonthUsd + months(bytes.objectDays) * prices.objectGbMonthUsd,
    network: gbPerMillion(bytes.network) * prices.networkGbUsd,
  };
}

function sumOf(costs: Costs, mode: Mode): number {
  return Object.values(costs.rows[`distributed ${mode}`].cpu).reduce((sum, each) => sum + each, 0);
}
