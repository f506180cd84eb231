import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Pinned: a range may resolve to a release that a repository has only in part. */
const kafkaVersion = '4.3.1';
const javaVersionMin = 17;

const pom = `<project><modelVersion>4.0.0</modelVersion>
  <groupId>tollgate</groupId><artifactId>kafka-broker</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${kafkaVersion}</version></dependency>
    <dependency><groupId>org.apache.logging.log4j</groupId><artifactId>log4j-slf4j-impl</artifactId><version>2.25.4</version></dependency>
  </dependencies></project>
`;
const run = promisify(execFile);
const cacheFolder = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate');

/**
 * Returns the folder with the jars of Apache Kafka. Maven fetches some 60 MB once; later runs need no network. Throws an
 * error that says what is missing.
 */
export async function findKafkaJars(): Promise<string> {
  const javaVersion = await findJavaVersion();
  if (javaVersion === undefined || javaVersion < javaVersionMin) {
    throw new Error(`Kafka needs Java ${javaVersionMin} or newer; found: ${javaVersion ?? 'none'}`);
  }
  const folder = join(cacheFolder(), `kafka-${kafkaVersion}`);
  if (!existsSync(folder)) await fetchJars(folder);
  return folder;
}

/** Fetches under another name first: two runs may fetch at once, and a run that dies leaves no half of it. */
async function fetchJars(folder: string): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true });
  const workplace = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(workplace, 'pom.xml'), pom);
    const args = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs'];
    await run('mvn', args, { cwd: workplace, timeout: 300_000 });
    await rename(join(workplace, 'libs'), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // otherwise another run was first
    });
  } catch (error) {
    throw new Error(`Kafka's jars cannot be fetched through Maven: ${firstLineOf(error)}`, { cause: error });
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

async function findJavaVersion(): Promise<number | undefined> {
  const printed = await run('java', ['-version']).catch(() => undefined);
  const version = /version "(\d+)/.exec(printed?.stderr ?? '')?.[1];
  return version === undefined ? undefined : Number(version);
}

function firstLineOf(error: unknown): string {
  const { code, stdout, message } = error as { code?: unknown; stdout?: string; message?: string }; // execFile's error
  const [line = ''] = (stdout || message || String(error)).split('\n');
  return code === 'ENOENT' ? 'mvn is not installed' : line;
}
