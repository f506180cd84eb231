import { startFaultProxy } from '@tollgate/testkit/fault-proxy';
import { testDatabase, type TestDatabase } from '@tollgate/testkit/postgres';

export interface BehindProxy {
  readonly proxy: Awaited<ReturnType<typeof startFaultProxy>>;
  readonly database: TestDatabase;
  /** The settings of a gateway that reaches PostgreSQL through the proxy. Its log reaches it directly. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A database, and a proxy that can keep a gateway from it. */
export async function openBehindProxy(cleanUps: (() => Promise<void>)[]): Promise<BehindProxy> {
  const database = await testDatabase();
  const proxy = await startFaultProxy({ port: Number(new URL(database.ownerUrl).port) });
  cleanUps.push(proxy.close);
  const settings = {
    DATABASE_API_URL: proxy.through(database.urlFor('ingest_gateway_api')),
    DATABASE_WORKER_URL: proxy.through(database.urlFor('ingest_gateway_worker')),
  };
  return { proxy, database, settings };
}
