import type { Service } from '@tollgate/kernel/service';

/** The checks of all parts, each with its part's name in front: two parts may have checks of the same name. */
export async function readinessOfParts(parts: readonly Service[]): Promise<Record<string, string>> {
  const answers = await Promise.all(parts.map(entriesOf));
  return Object.fromEntries(answers.flat());
}

async function entriesOf(part: Service): Promise<[string, string][]> {
  const checks = await Promise.resolve(part.readiness?.()).catch(() => ({ readiness: 'cannot tell' }));
  return Object.entries(checks ?? {}).map(([name, check]) => [`${part.name}.${name}`, check]);
}
