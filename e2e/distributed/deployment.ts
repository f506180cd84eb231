import { setTimeout as sleep } from 'node:timers/promises';
import { startPathRouter, type PathRouter } from '@tollgate/testkit/path-router';
import { startServiceProcess, type ServiceName, type ServiceProcess } from '@tollgate/testkit/service-process';
import { holdRequest, type HoldOptions } from './hold-request.ts';

export interface Deployment {
  readonly router: PathRouter;
  /** Starts one more process of a service. `own` are settings for it alone. */
  add(name: ServiceName, own?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** The process of a service that started first. */
  first(name: ServiceName): ServiceProcess;
  /** Starts a new process for each of a service, then ends the old ones in turn, each with a request under way. */
  replaceAll(name: ServiceName, hold?: HoldOptions): Promise<readonly Ending[]>;
  /** Everything that the processes have printed. */
  output(): string;
  destroy(): Promise<void>;
}

export interface Ending {
  readonly name: ServiceName;
  readonly code: number | null;
  readonly tookMs: number;
  /** The status that the request under way was answered with. */
  readonly heldStatus: number | undefined;
}

export interface DeploymentOptions {
  /** Where each role signs in to the database. */
  readonly urlFor: (role: string) => string;
  /** Settings for every service. */
  readonly settings: Readonly<Record<string, string>>;
  readonly nowMs: () => number;
}

/** Longer than a server that ends takes new requests. */
const heldForMs = 500;
/** The callers of these tests are faster than people, and all have one address. */
const unlimited = {
  READS_PER_SECOND_MAX: '1000000',
  WRITES_PER_SECOND_MAX: '1000000',
  HTTP_CONNECTIONS_PER_ADDRESS_MAX: '10000',
};
const schemaOf = {
  auth: 'auth',
  'ingest-gateway': 'ingest_gateway',
  aggregator: 'aggregator',
  billing: 'billing',
  notifier: 'notifier',
};

/** The services as processes of their own on one PostgreSQL, behind one base URL. */
export async function openDeployment({ urlFor, settings, nowMs }: DeploymentOptions): Promise<Deployment> {
  const router = await startPathRouter();
  const all: ServiceProcess[] = [];
  let running: ServiceProcess[] = [];

  function settingsOf(name: ServiceName): Record<string, string> {
    const schema = schemaOf[name];
    return {
      ...(name === 'aggregator' ? {} : { DATABASE_API_URL: urlFor(`${schema}_api`) }),
      DATABASE_WORKER_URL: urlFor(`${schema}_worker`),
      AUTH_KEY_ENCRYPTION_SECRET: 'a secret of the deployment under test',
      SANDBOX_WEBHOOK_SECRET: 'another secret of the deployment under test',
      WEBHOOK_ENCRYPTION_SECRET: 'a third secret of the deployment under test',
      ...unlimited,
      ...settings,
    };
  }

  async function add(name: ServiceName, own: Readonly<Record<string, string>> = {}): Promise<ServiceProcess> {
    const start = () => startServiceProcess(name, { ...settingsOf(name), ...own });
    const service = await start().catch((error: unknown) => {
      process.stderr.write(`${name} is started again, as a supervisor would: ${String(error)}\n`);
      return start(); // many at once may wait too long for PostgreSQL; a service that cannot start fails twice
    });
    all.push(service);
    running.push(service);
    if (name !== 'aggregator') await router.add(name, service.url);
    return service;
  }

  async function end(service: ServiceProcess, hold: HoldOptions | undefined): Promise<Ending> {
    const held = hold && (await holdRequest(service.url, hold));
    const startedMs = nowMs();
    service.signal('SIGTERM');
    await sleep(heldForMs);
    const heldStatus = await held?.finish();
    const { code } = await service.exited;
    running = running.filter((each) => each !== service);
    router.remove(service.url);
    return { name: service.name, code, tookMs: Math.round(nowMs() - startedMs), heldStatus };
  }

  return {
    router,
    add,
    first(name) {
      const service = all.find((each) => each.name === name);
      if (service === undefined) throw new Error(`no ${name} was started`);
      return service;
    },
    async replaceAll(name, hold) {
      const old = running.filter((service) => service.name === name);
      await Promise.all(old.map(() => add(name)));
      const endings: Ending[] = [];
      for (const service of old) endings.push(await end(service, hold));
      return endings;
    },
    output: () => all.map((service) => `--- ${service.name} (${service.pid})\n${service.output()}`).join('\n'),
    async destroy() {
      await router.close();
      await Promise.all(all.map((service) => service.destroy()));
    },
  };
}
