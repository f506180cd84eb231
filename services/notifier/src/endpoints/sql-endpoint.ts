import { toIso } from '@tollgate/kernel/clock';
import { onlyRow, type Queryable, type Transaction } from '@tollgate/database/database';
import type { Endpoint, EndpointName } from './endpoint.ts';

const columns = 'endpoint_id, account_id, url, types, description, disabled_for, failing_since, created_at';

interface DbEndpoint {
  readonly endpoint_id: string;
  readonly account_id: string | null;
  readonly url: string;
  readonly types: string[] | null;
  readonly description: string | null;
  readonly disabled_for: Endpoint['disabledFor'];
  readonly failing_since: Date | null;
  readonly created_at: Date;
}

const lock = {
  name: 'notify.lock_endpoints_of_account',
  text: `select pg_advisory_xact_lock(hashtextextended('notify.endpoint:' || coalesce($1::text, 'operator'), 0))`,
};

/** Until the transaction ends nobody else registers an endpoint for the account, so that the bound holds for callers who race. */
export async function lockEndpointsOf(tx: Transaction, accountId: string | null): Promise<void> {
  await tx.query(lock, [accountId]);
}

const list = {
  name: 'notify.list_endpoints',
  text: `select ${columns} from notify.endpoint where account_id is not distinct from $1::uuid order by created_at, endpoint_id`,
};

/** All endpoints of an account, oldest first. */
export async function listEndpoints(db: Queryable, accountId: string | null): Promise<Endpoint[]> {
  return (await db.query<DbEndpoint>(list, [accountId])).map(fromDbEndpoint);
}

const count = {
  name: 'notify.count_endpoints',
  text: 'select count(*)::int as endpoints from notify.endpoint where account_id is not distinct from $1::uuid',
};

export async function countEndpoints(tx: Transaction, accountId: string | null): Promise<number> {
  return onlyRow(await tx.query<{ endpoints: number }>(count, [accountId])).endpoints;
}

const insert = {
  name: 'notify.insert_endpoint',
  text: `insert into notify.endpoint (endpoint_id, account_id, url, types, description, secret, created_at)
values ($1, $2, $3, $4::text[], $5, $6, $7)`,
};

export async function insertEndpoint(tx: Transaction, endpoint: Endpoint, secret: Buffer): Promise<void> {
  const { endpointId, accountId, url, types, description, createdAtMs } = endpoint;
  await tx.query(insert, [endpointId, accountId, url, types, description, secret, toIso(createdAtMs)]);
}

const named = 'endpoint_id = $1 and account_id is not distinct from $2::uuid';

const find = { name: 'notify.find_endpoint', text: `select ${columns} from notify.endpoint where ${named}` };

export async function findEndpoint(db: Queryable, name: EndpointName): Promise<Endpoint | undefined> {
  const [row] = await db.query<DbEndpoint>(find, [name.endpointId, name.accountId]);
  return row && fromDbEndpoint(row);
}

const lockOne = { name: 'notify.lock_endpoint', text: `${find.text} for update` };

/** As `findEndpoint`, and nobody else changes it until the transaction ends. */
export async function lockEndpoint(tx: Transaction, name: EndpointName): Promise<Endpoint | undefined> {
  const [row] = await tx.query<DbEndpoint>(lockOne, [name.endpointId, name.accountId]);
  return row && fromDbEndpoint(row);
}

const update = {
  name: 'notify.update_endpoint',
  text: `update notify.endpoint set url = $2, types = $3::text[], description = $4, disabled_for = $5, failing_since = $6
where endpoint_id = $1`,
};

/** Stores the fields of a locked endpoint that may change. */
export async function updateEndpoint(tx: Transaction, endpoint: Endpoint): Promise<void> {
  const { endpointId, url, types, description, disabledFor, failingSinceMs } = endpoint;
  const failingSince = failingSinceMs === null ? null : toIso(failingSinceMs);
  await tx.query(update, [endpointId, url, types, description, disabledFor, failingSince]);
}

const rotate = {
  name: 'notify.rotate_secret',
  text: `update notify.endpoint set old_secret = secret, old_secret_until = $3, secret = $2 where endpoint_id = $1`,
};

export interface NewSecret {
  readonly endpointId: string;
  readonly secret: Buffer;
  /** Until then webhooks are signed with the earlier secret, too. By real time. */
  readonly oldUntilMs: number;
}

export async function rotateSecret(tx: Transaction, { endpointId, secret, oldUntilMs }: NewSecret): Promise<void> {
  await tx.query(rotate, [endpointId, secret, toIso(oldUntilMs)]);
}

const remove = {
  name: 'notify.remove_endpoint',
  text: `delete from notify.endpoint where ${named} returning 1 as gone`,
};

/** False if there is none. What it was told goes with it. */
export async function removeEndpoint(tx: Transaction, name: EndpointName): Promise<boolean> {
  return (await tx.query(remove, [name.endpointId, name.accountId])).length > 0;
}

function fromDbEndpoint(row: DbEndpoint): Endpoint {
  return {
    endpointId: row.endpoint_id,
    accountId: row.account_id,
    url: row.url,
    types: row.types,
    description: row.description,
    disabledFor: row.disabled_for,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
  };
}
