import {
  GenericContainer,
  getContainerRuntimeClient,
  ImageName,
  Wait,
  type StartedTestContainer,
} from 'testcontainers';
import type { ContainerPlan, ContainerRequest, ImageAnswer, RunAnswer } from './container-request.ts';

export interface ContainerKeeper {
  /** Fulfils a request. Throws an error that says what is missing. */
  answer(request: ContainerRequest): Promise<object>;
  /** Removes every container, also those that are still starting. */
  removeAll(): Promise<void>;
}

type Client = Awaited<ReturnType<typeof getContainerRuntimeClient>>;

const startWithinMs = 120_000;
const wordsMax = 4_000;

/**
 * Keeps the containers of one test run. The run's keeper removes them, however the run ends. So the tests need no
 * Ryuk, Testcontainers' own watcher: one more image, with access to the engine's socket.
 */
export function keepContainers(): ContainerKeeper {
  const images = new Map<string, Promise<ImageAnswer>>();
  const containers = new Map<string, StartedTestContainer>();
  const starting = new Set<Promise<unknown>>();

  async function run(plan: ContainerPlan): Promise<RunAnswer> {
    const kept = startContainer(plan).then((container) => {
      containers.set(container.getId(), container);
      return { id: container.getId() };
    });
    starting.add(kept);
    return kept.finally(() => starting.delete(kept));
  }

  /** Like a signal, it is no error when the container is already in that state. */
  async function harm(ask: 'kill' | 'pause' | 'unpause' | 'remove', id: string): Promise<void> {
    const engine = await findEngine();
    const container = engine.container.getById(id);
    const { Running: isRunning, Paused: isPaused } = (await container.inspect()).State;
    switch (ask) {
      case 'kill':
        if (isRunning) await container.kill();
        await container.wait();
        return;
      case 'remove':
        await container.remove({ force: true, v: true });
        containers.delete(id);
        return;
      case 'pause':
        if (isRunning && !isPaused) await container.pause();
        return;
      case 'unpause':
        if (isPaused) await container.unpause();
    }
  }

  return {
    async answer(request) {
      switch (request.ask) {
        case 'image': {
          const found = images.get(request.image) ?? findImage(request.image);
          images.set(request.image, found);
          return found;
        }
        case 'run':
          return run(request.plan);
        case 'start':
          await containers.get(request.id)?.restart();
          return {};
        default:
          await harm(request.ask, request.id);
          return {};
      }
    },
    async removeAll() {
      await Promise.allSettled(starting);
      await Promise.allSettled([...containers.keys()].map((id) => harm('remove', id)));
    },
  };
}

/** Finds the engine as Docker's own programs do: DOCKER_HOST, else the usual sockets. */
async function findEngine(): Promise<Client> {
  return getContainerRuntimeClient().catch((error: unknown) => {
    throw new Error('Docker does not answer', { cause: error });
  });
}

async function findImage(image: string): Promise<ImageAnswer> {
  const { image: images, info } = await findEngine();
  const name = ImageName.fromString(image);
  const refusal = await images.pull(name).then(
    () => 'no reason was given', // Docker does not report an error during the pull
    (error: unknown) => (error instanceof Error ? error.message.trim() : String(error)),
  );
  if (await images.exists(name)) return { host: info.containerRuntime.host };
  const words = `Docker answers, but cannot get ${image}: ${refusal}`;
  process.stderr.write(`${words}\n`); // also where another place is found, to explain the choice
  throw new Error(words);
}

async function startContainer(plan: ContainerPlan): Promise<StartedTestContainer> {
  let words = '';
  const container = new GenericContainer(plan.image)
    .withAutoCleanup(false)
    .withEnvironment({ ...plan.environment })
    .withExposedPorts(...plan.ports.map((port) => ({ container: port, host: port })))
    .withLogConsumer((output) => output.on('data', (text) => (words = (words + String(text)).slice(-wordsMax))))
    .withWaitStrategy(Wait.forLogMessage(plan.readyLine))
    .withStartupTimeout(startWithinMs);
  if (plan.command !== undefined) container.withCommand([...plan.command]);
  return container.start().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${plan.image} did not start: ${reason}; its output:\n${words}`, { cause: error });
  });
}
