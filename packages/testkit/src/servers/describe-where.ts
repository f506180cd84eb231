import { describe } from '@jest/globals';

type Describe = (name: string, suite: () => void) => void;

/** `describe` where the server has a place to run, else one that skips the suite and says why; CI=true makes that a failure. */
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
