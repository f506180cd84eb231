import { costs as committed, type Costs } from './costs.ts';
import type { Inputs } from './inputs.ts';

const daySeconds = 86_400;

/** Keyed events per second, on average, whose keys fit into one database until the first archive may take them. */
export function keyedPerSecondMax({ plan }: Inputs, { bytes }: Costs = committed): number {
  const keys = (plan.keyPartitions * plan.gigabytesPerKeyPartition * 1e9) / bytes.keyInTable;
  return keys / (plan.keyDaysInTable * daySeconds);
}
