import type { Service } from '@tollgate/kernel/service';

/** What each part says of itself, under its name: two may have a part of the same name, and one must not hide the other. */
export async function readinessOfParts(parts: readonly Service[]): Promise<Record<string, string>> {
  const answers = await Promise.all(parts.map(entriesOf));
  return Object.fromEntries(answers.flat());
}

async function entriesOf(part: Service): Promise<[string, string][]> {
  const checks = await Promise.resolve(part.readiness?.()).catch(() => ({ readiness: 'cannot tell' }));
  return Object.entries(checks ?? {}).map(([name, check]) => [`${part.name}.${name}`, check]);
}
