import { describe } from '@jest/globals';

type Describe = (name: string, suite: () => void) => void;

/** Returns `describe` if the server can run here. Otherwise the suite is skipped with the reason, which fails with CI=true. */
export async function describeWhere(server: string, findPlace: () => Promise<unknown>): Promise<Describe> {
  const reason = await findPlace().then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (reason === undefined) return describe;
  process.stderr.write(`suites that need ${server} are skipped: ${reason}\n`);
  const { skip } = describe;
  return (name, suite) => skip(`${name} (skipped: ${reason})`, suite);
}
