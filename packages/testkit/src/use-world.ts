import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';

type Closable = { drop(): Promise<unknown> } | { stop(): Promise<unknown> };

const openMs = 120_000;

/** Opens a world before each test and closes it after the test. What it returns stands for the world of the test that runs. */
export function useEach<World extends Closable>(open: () => Promise<World>): World {
  return standIn(open, beforeEach, afterEach);
}

/** Opens one world before the tests of a file, or of the describe that asks for it, and closes it after them. */
export function useOnce<World extends Closable>(open: () => Promise<World>): World {
  return standIn(open, beforeAll, afterAll);
}

function standIn<World extends Closable>(
  open: () => Promise<World>,
  before: typeof beforeEach,
  after: typeof afterEach,
): World {
  let world: World | undefined;
  before(async () => void (world = await open()), openMs);
  after(async () => {
    const opened = world;
    world = undefined;
    if (opened !== undefined) await ('drop' in opened ? opened.drop() : opened.stop());
  }, openMs);
  const current = (): World => {
    if (world === undefined) throw new Error('the world is open only while a test or a later hook runs');
    return world;
  };
  return standInFor(current);
}

/** An object that is, at any time, the one of then. */
export function standInFor<World extends object>(current: () => World): World {
  return new Proxy({} as World, {
    get: (_, name) => Reflect.get(current(), name) as unknown,
    set: (_, name, value) => Reflect.set(current(), name, value),
    has: (_, name) => Reflect.has(current(), name),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => ({
      ...Reflect.getOwnPropertyDescriptor(current(), name),
      configurable: true,
    }),
  });
}
