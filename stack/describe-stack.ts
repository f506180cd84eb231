import type { Stack } from './start-stack.ts';

export interface StackFacts {
  readonly dataDir: string;
  readonly isKept: boolean;
  readonly startedInMs: number;
}

/** The text that is printed when a stack has started. */
export function describeStack(stack: Stack, { dataDir, isKept, startedInMs }: StackFacts): string {
  const parts = stack.parts
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map(({ name, address, metrics, pid }) =>
      [name.padEnd(18), address.padEnd(40), pid === undefined ? '' : `pid ${pid}`.padEnd(12), metrics].join('').trim(),
    );
  return `
Tollgate is ready: ${stack.baseUrl} (in ${(startedInMs / 1_000).toFixed(1)} s)
Data:              ${dataDir}${isKept ? '' : ' (removed with the stack)'}
Logs:              ${stack.logFolder}
Addresses:         ${stack.addressFile}

${parts.map((line) => `  ${line}\n`).join('')}
Ctrl-C stops everything.
`;
}
