import { startEmbeddedPostgres, type EmbeddedPostgres } from '@tollgate/database/embedded/start-embedded-postgres';
import { migrate } from '@tollgate/database/migrate';
import type { Service } from '@tollgate/kernel/service';

import { removeAddressFile, writeAddressFile } from '@tollgate/runtime/data-folder/address-file';
import { baseUrlOf } from './base-url.ts';
import type { StandaloneConfig } from './config.ts';
import type { Host, HostDeps } from './create-host.ts';
import { requireFreePort } from './require-free-port.ts';
import { readVersion } from './version.ts';

export interface StandaloneDeps extends Omit<HostDeps, 'postgres' | 'onFailed'> {
  /** Hears which step of the start begins. */
  readonly onStep: (step: string) => void;
}

export interface Standalone extends Service {
  /** Throws before the start. */
  address(): { readonly host: string; readonly port: number };
  /** The database server's version, and where its programs come from; for people. Throws before the start. */
  postgres(): string;
  /** Rejects when a part has failed for good. The process should then end: a live process that does nothing is worse. */
  readonly failed: Promise<never>;
}

/** All of Tollgate in one process. PostgreSQL starts first, then the services on it, and the port last. */
export function createStandalone(config: StandaloneConfig, deps: StandaloneDeps): Standalone {
  const { dataDir } = deps;
  const log = deps.logFor('standalone');
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // a caller may ignore it
  let postgres: EmbeddedPostgres | undefined;
  let host: Host | undefined;
  let isStopping = false;

  async function start(): Promise<void> {
    await requireFreePort(config);
    deps.onStep('starting PostgreSQL');
    // The services are loaded while PostgreSQL starts. Each takes half a second.
    const loadHost = () => import('./create-host.ts');
    postgres = await startEmbeddedPostgres({
      dataDir,
      log,
      programs: config.POSTGRES_BIN,
      onSpawned: () => void loadHost(),
    });
    log.info({ server: postgres.server }, 'PostgreSQL runs');
    try {
      deps.onStep('migrating the database');
      const acceptsNewer = config.NEWER_DATABASE === 'accept';
      await migrate({ ownerUrl: postgres.ownerUrl, rolePasswords: postgres.rolePassword, acceptsNewer, log });
      deps.onStep('starting the services');
      const { createHost } = await loadHost();
      host = await createHost(config, { ...deps, postgres, onFailed: failure.reject });
      await host.start();
      writeAddressFile(dataDir, { baseUrl: baseUrlOf(host.address()), version: readVersion() });
    } catch (error) {
      await postgres.stop();
      throw error;
    }
    void postgres.exited.then(() => {
      if (!isStopping)
        failure.reject(
          new Error('the embedded PostgreSQL has ended unexpectedly; see postgres.log in the data folder'),
        );
    });
  }

  async function stop(): Promise<void> {
    isStopping = true;
    removeAddressFile(dataDir);
    try {
      await host?.stop();
    } finally {
      await postgres?.stop();
    }
  }

  function address(): { host: string; port: number } {
    if (!host) throw new Error('standalone has not been started');
    return host.address();
  }

  function describePostgres(): string {
    if (!postgres) throw new Error('standalone has not been started');
    return postgres.server;
  }

  return { name: 'standalone', start, stop, address, postgres: describePostgres, failed: failure.promise };
}
