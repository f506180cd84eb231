import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startChildService } from '../child-service.ts';
import { startServerProcess, type ServerProcess } from '../servers/start-server-process.ts';
import { findKafkaJars } from './kafka-jars.ts';
import { classPathOf, formatStorage, serverProperties, untilClusterAnswers, type Settings } from './kafka-node.ts';

export interface KafkaProcessOptions {
  readonly clusterId: string;
  readonly settings: Settings;
  readonly jvmFlags: readonly string[];
  /** The node answers at this `host:port`. */
  readonly address: string;
  /** Holds its data; by default a folder below that of the test run, which is removed however the run ends. */
  readonly parentFolder?: string | undefined;
}

const startWithinMs = 60_000;

/** Starts a node from Kafka's own jars, on this machine's Java. */
export async function startKafkaProcess(options: KafkaProcessOptions): Promise<ServerProcess> {
  const { clusterId, settings, jvmFlags, address, parentFolder = runFolder() } = options;
  const classPath = classPathOf(await findKafkaJars());
  const folder = await mkdtemp(join(parentFolder, 'kafka-'));
  const forget = () => rm(folder, { recursive: true, force: true });
  const properties = join(folder, 'server.properties');
  try {
    await writeFile(properties, serverProperties({ ...settings, 'log.dirs': join(folder, 'data') }));
    await formatStorage({ clusterId, properties, classPath });
    const server = await startServerProcess(async () => {
      const child = startChildService({
        command: 'java',
        args: [...jvmFlags, ...classPath, 'kafka.Kafka', properties],
      });
      await untilClusterAnswers([{ address, child }], startWithinMs).catch(async (error: unknown) => {
        await child.destroy();
        throw error;
      });
      return child;
    });
    return {
      ...server,
      async destroy() {
        await server.destroy();
        await forget();
      },
    };
  } catch (error) {
    await forget();
    throw error;
  }
}

function runFolder(): string {
  const keeper = process.env['TOLLGATE_TEST_CLUSTER'];
  return keeper === undefined ? tmpdir() : dirname(keeper);
}
