import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface JavaProgram {
  /** For people, and for errors. */
  readonly name: string;
  /** Pinned: a range may resolve to a release that a repository has only in part. */
  readonly version: string;
  /** `group:artifact:version`, of which the other jars follow. */
  readonly artifacts: readonly string[];
}

const javaVersionMin = 17;

const run = promisify(execFile);
const cacheFolder = (): string => join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tollgate');

/**
 * Returns the folder with the jars of a program. Maven fetches them once; later runs need no network. Throws an error that
 * says what is missing.
 */
export async function findJars(program: JavaProgram): Promise<string> {
  const javaVersion = await findJavaVersion();
  if (javaVersion === undefined || javaVersion < javaVersionMin) {
    throw new Error(`${program.name} needs Java ${javaVersionMin} or newer; found: ${javaVersion ?? 'none'}`);
  }
  const folder = join(cacheFolder(), `${program.name.toLowerCase()}-${program.version}`);
  if (!existsSync(folder)) await fetchJars(folder, program);
  return folder;
}

/** Fetches under another name first: two runs may fetch at once, and a run that dies leaves no half of it. */
async function fetchJars(folder: string, program: JavaProgram): Promise<void> {
  await mkdir(cacheFolder(), { recursive: true });
  const workplace = await mkdtemp(`${folder}-`);
  try {
    await writeFile(join(workplace, 'pom.xml'), pomOf(program));
    const args = ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=libs'];
    await run('mvn', args, { cwd: workplace, timeout: 300_000 });
    await rename(join(workplace, 'libs'), folder).catch((error: unknown) => {
      if (!existsSync(folder)) throw error; // otherwise another run was first
    });
  } catch (error) {
    throw new Error(`The jars of ${program.name} cannot be fetched through Maven: ${firstLineOf(error)}`, {
      cause: error,
    });
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

function pomOf({ name, artifacts }: JavaProgram): string {
  const dependencies = artifacts.map((artifact) => {
    const [group, id, version] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${id}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion>
  <groupId>tollgate</groupId><artifactId>${name.toLowerCase()}</artifactId><version>1</version>
  <dependencies>${dependencies.join('')}</dependencies></project>
`;
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
