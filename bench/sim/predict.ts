import { costs as committed, type Costs, type Mode, type Shape } from './costs.ts';
import type { Inputs } from './inputs.ts';
import { stepOf } from './scale-steps.ts';
import { simulate, twoCores, type Simulated } from './simulate.ts';

export interface Prediction extends Simulated {
  readonly what: string;
  readonly mode: Mode;
}

interface Machine {
  readonly shape: Shape;
  readonly cores: number;
  readonly gateways: number;
  readonly aggregators: number;
  readonly partitions: number;
}

const machines: readonly Machine[] = [
  { shape: 'standalone', cores: 2, gateways: 1, aggregators: 1, partitions: 2 },
  { shape: 'standalone', cores: 8, gateways: 1, aggregators: 1, partitions: 2 },
  { shape: 'distributed', cores: 8, gateways: 1, aggregators: 1, partitions: 4 },
  { shape: 'distributed', cores: 8, gateways: 2, aggregators: 1, partitions: 4 },
  { shape: 'distributed', cores: 8, gateways: 3, aggregators: 2, partitions: 8 },
];
const connections = { single: 128, batch: 16 };

/** What one machine carries, its load generator included, when clients ask as fast as they are answered. */
export function predictOneMachine(mode: Mode, costs: Costs = committed): readonly Prediction[] {
  return machines.map(({ shape, cores, gateways, aggregators, partitions }) => {
    const processes = { gateways, aggregators, redis: 1 };
    const simulated = simulate({
      ...twoCores(shape, mode, costs),
      ...(shape === 'distributed' && { processes }),
      cores,
      partitions,
      load: { kind: 'closed', connections: connections[mode] * gateways },
      seconds: 2,
    });
    return { what: nameOf({ shape, cores, gateways, aggregators, partitions }), mode, ...simulated };
  });
}

/** The processes that the arithmetic gives a rate, under that rate. */
export function predictStep(rate: number, mode: Mode, inputs: Inputs, costs: Costs = committed): Prediction {
  const { cores, gateways, aggregators, redis, partitions } = stepOf(rate, mode, inputs, costs);
  const simulated = simulate({
    ...twoCores('distributed', mode, costs),
    processes: { gateways, aggregators, redis },
    cores,
    partitions,
    load: { kind: 'open', eventsPerSecond: rate },
    seconds: 2,
  });
  return { what: nameOf({ shape: 'distributed', cores, gateways, aggregators, partitions }), mode, ...simulated };
}

function nameOf({ shape, cores, gateways, aggregators, partitions }: Machine): string {
  if (shape === 'standalone') return `standalone, ${cores} cores`;
  const parts = [count(gateways, 'gateway'), count(aggregators, 'aggregator'), count(partitions, 'partition')];
  return [`distributed, ${cores} cores`, ...parts].join(', ');
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;
