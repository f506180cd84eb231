import { appendFileSync, chownSync, mkdtempSync, chmodSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLogger } from '@tollgate/runtime/logging/create-logger';
import { eventually } from '@tollgate/testkit/eventually';
import { makeCertificates } from '@tollgate/testkit/make-certificates';
import { withOracleDatabase } from '@tollgate/testkit/oracles/oracle-database';
import { startMigratedPostgres } from '@tollgate/testkit/start-migrated-postgres';
import { createDatabase } from '../src/database.ts';
import type { EmbeddedPostgres } from '../src/embedded/start-embedded-postgres.ts';
import { migrate } from '../src/migrate.ts';

const log = createLogger({ name: 'test', level: 'silent' });
let folder = '';
let postgres: EmbeddedPostgres;
const place = (name: string, text: string, mode = 0o644): string => {
  writeFileSync(join(folder, name), text, { mode });
  return join(folder, name);
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-certificates-'));
  chmodSync(folder, 0o711); // the user who runs PostgreSQL enters it
  postgres = await startMigratedPostgres(join(folder, 'data'), log);
  const { server, service } = await makeCertificates(['server', 'service']);
  const { service: stranger } = await makeCertificates(['service']);
  place('ca.crt', server.ca);
  place('tls.crt', service.cert);
  place('tls.key', service.key);
  place('other-ca.crt', stranger.ca);
  place('other.crt', stranger.cert);
  place('other.key', stranger.key);
  await demandCertificates(server);
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** PostgreSQL takes from now on connections by TLS alone, with a certificate of the authority. */
async function demandCertificates(own: { readonly cert: string; readonly key: string }): Promise<void> {
  const cluster = join(folder, 'data/postgres');
  const { uid, gid } = statSync(cluster);
  const key = place('server.key', own.key, 0o600);
  chownSync(key, uid, gid);
  const files = {
    ssl_ca_file: join(folder, 'ca.crt'),
    ssl_cert_file: place('server.crt', own.cert),
    ssl_key_file: key,
  };
  writeFileSync(join(cluster, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-ca\n');
  const settings = Object.entries({ ...files, ssl: 'on' }).map(([name, value]) => `${name} = '${value}'\n`);
  appendFileSync(join(cluster, 'postgresql.auto.conf'), settings.join(''));
  await withOracleDatabase(postgres.urlFor('postgres'), (database) => database.query('select pg_reload_conf()'));
  await eventually(
    () =>
      ask(postgres.urlFor('billing_worker')).then(
        () => false,
        () => true,
      ),
    { withinMs: 10_000 },
  );
}

/** The address as docs/kubernetes.md gives it, with the files of this folder. */
function withFiles(url: string, { ca = 'ca.crt', own = 'tls' } = {}): string {
  const files = { sslrootcert: ca, sslcert: `${own}.crt`, sslkey: `${own}.key` };
  const named = Object.entries(files).map(([name, file]) => `${name}=${join(folder, file)}`);
  return `${url}?sslmode=verify-full&${named.join('&')}`;
}

async function ask(url: string): Promise<unknown> {
  const database = createDatabase({ url, name: 'test', log });
  try {
    return await database.query('select ssl from pg_stat_ssl where pid = pg_backend_pid()');
  } finally {
    await database.stop();
  }
}

describe('a PostgreSQL that demands certificates', () => {
  it('takes ours, of files that the address names, from a service and from the migration', async () => {
    expect(await ask(withFiles(postgres.urlFor('billing_worker')))).toEqual([{ ssl: true }]);
    const { rolePassword: rolePasswords } = postgres;
    expect(await migrate({ ownerUrl: withFiles(postgres.ownerUrl), rolePasswords, log })).toEqual({ applied: [] });
  });

  it('refuses us without one, and with a stranger’s', async () => {
    const url = postgres.urlFor('billing_worker');
    const byTls = `${url}?sslmode=verify-full&sslrootcert=${join(folder, 'ca.crt')}`;
    await expect(ask(byTls)).rejects.toThrow('requires a valid client certificate');
    await expect(ask(url)).rejects.toThrow('no pg_hba.conf entry');
    await expect(ask(withFiles(url, { own: 'other' }))).rejects.toThrow('alert unknown ca');
  });

  it('is refused by us where its certificate is of another authority', async () => {
    await expect(ask(withFiles(postgres.urlFor('billing_worker'), { ca: 'other-ca.crt' }))).rejects.toThrow(
      'self-signed certificate in certificate chain',
    );
  });
});
