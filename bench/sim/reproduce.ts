import { costs as committed, type Costs } from './costs.ts';
import { simulate, twoCores, type Setup } from './simulate.ts';

export interface Reproduced {
  readonly name: string;
  readonly measured: number;
  readonly simulated: number;
  /** Simulated against measured: 0.05 is 5 % above. */
  readonly off: number;
}

const loads = { single: { kind: 'closed', connections: 128 }, batch: { kind: 'closed', connections: 16 } } as const;
const shapes = ['standalone', 'distributed'] as const;
const modes = ['single', 'batch'] as const;

/** Each figure that was measured on two cores, beside what the simulation says of it. */
export function reproduce(costs: Costs = committed, seed = 1): readonly Reproduced[] {
  return shapes.flatMap((shape) => [
    ...modes.map((mode) => accepted({ ...twoCores(shape, mode, costs), load: loads[mode], seed })),
    counted({ ...twoCores(shape, 'batch', costs), load: { kind: 'backlog' }, seconds: 60, seed }),
  ]);
}

function accepted(setup: Setup): Reproduced {
  const name = `${setup.shape} ${setup.mode}` as const;
  return compare(name, setup.costs.rows[name].accepted, simulate(setup).acceptedPerSecond);
}

function counted(setup: Setup): Reproduced {
  const name = `${setup.shape} drain`;
  return compare(name, setup.costs.drains[setup.shape].counted, simulate(setup).countedPerSecond);
}

function compare(name: string, measured: number, simulated: number): Reproduced {
  return { name, measured, simulated, off: simulated / measured - 1 };
}
