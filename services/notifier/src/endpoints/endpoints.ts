import {
  webhookEndpointsMax,
  type CreateWebhookEndpoint,
  type UpdateWebhookEndpoint,
} from '@tollgate/contracts/webhooks/webhook-endpoints';
import type { Transaction } from '@tollgate/database/database';
import { AppError } from '@tollgate/kernel/app-error';
import type { Clock } from '@tollgate/kernel/clock';
import type { SealedBox } from '@tollgate/kernel/sealed-box';
import { uuidV7 } from '@tollgate/kernel/uuid';
import { recordAct } from '@tollgate/runtime/audit/record-act';
import type { Act, Actor } from '@tollgate/runtime/http/requests/act';
import { noSuchEndpoint, type Endpoint, type EndpointName } from './endpoint.ts';
import { judgeUrl } from './judge-url.ts';
import {
  countEndpoints,
  insertEndpoint,
  lockEndpoint,
  lockEndpointsOf,
  removeEndpoint,
  rotateSecret,
  updateEndpoint,
} from './sql-endpoint.ts';
import { createWebhookSecret, sealSecret } from './webhook-secret.ts';

export interface EndpointsDeps {
  /** Seals the secrets of endpoints. */
  readonly box: SealedBox;
  readonly clock: Clock;
  /** The time by which receivers check signatures. */
  readonly realTime: Pick<Clock, 'now'>;
  /** Whether this machine itself may be called. */
  readonly allowsLoopback: boolean;
}

export interface EndpointWithSecret {
  readonly endpoint: Endpoint;
  readonly secret: string;
}

interface Rotation {
  readonly name: EndpointName;
  readonly graceSeconds: number;
  readonly by: Actor;
}

interface NewEndpoint {
  readonly accountId: string | null;
  readonly body: CreateWebhookEndpoint;
  readonly by: Actor;
}

/** Changes endpoints in the transaction of the caller, with a row in the audit trail. */
export function createEndpoints({ box, clock, realTime, allowsLoopback }: EndpointsDeps) {
  async function create(tx: Transaction, { accountId, body, by }: NewEndpoint): Promise<EndpointWithSecret> {
    judgeUrl(body.url, { allowsLoopback });
    const createdAtMs = clock.now();
    const endpoint: Endpoint = {
      endpointId: uuidV7(createdAtMs),
      accountId,
      url: body.url,
      types: body.types === undefined ? null : [...new Set(body.types)],
      description: body.description ?? null,
      disabledFor: null,
      failingSinceMs: null,
      createdAtMs,
    };
    const secret = createWebhookSecret();
    await lockEndpointsOf(tx, accountId);
    if ((await countEndpoints(tx, accountId)) >= webhookEndpointsMax)
      throw new AppError(
        'too_many_webhook_endpoints',
        `There are at most ${webhookEndpointsMax} webhook endpoints. Remove one first.`,
      );
    await insertEndpoint(tx, endpoint, sealSecret(box, endpoint.endpointId, secret));
    await record(tx, by, { action: 'webhook_endpoint.created', name: endpoint });
    return { endpoint, secret };
  }

  async function update(tx: Transaction, name: EndpointName, change: Update): Promise<Endpoint> {
    const { body, by } = change;
    if (body.url !== undefined) judgeUrl(body.url, { allowsLoopback });
    const endpoint = applyUpdate(await ownEndpoint(tx, name), body);
    await updateEndpoint(tx, endpoint);
    await record(tx, by, { action: 'webhook_endpoint.changed', name });
    return endpoint;
  }

  async function rotate(tx: Transaction, { name, graceSeconds, by }: Rotation): Promise<EndpointWithSecret> {
    const endpoint = await ownEndpoint(tx, name);
    const secret = createWebhookSecret();
    const sealed = sealSecret(box, endpoint.endpointId, secret);
    const oldUntilMs = realTime.now() + graceSeconds * 1_000;
    await rotateSecret(tx, { endpointId: endpoint.endpointId, secret: sealed, oldUntilMs });
    await record(tx, by, { action: 'webhook_endpoint.secret_rotated', name });
    return { endpoint, secret };
  }

  async function remove(tx: Transaction, name: EndpointName, by: Actor): Promise<void> {
    if (!(await removeEndpoint(tx, name))) throw noSuchEndpoint(name);
    await record(tx, by, { action: 'webhook_endpoint.removed', name });
  }

  return { create, update, rotate, remove };
}

export type Endpoints = ReturnType<typeof createEndpoints>;

interface Update {
  readonly body: UpdateWebhookEndpoint;
  readonly by: Actor;
}

async function ownEndpoint(tx: Transaction, name: EndpointName): Promise<Endpoint> {
  const endpoint = await lockEndpoint(tx, name);
  if (endpoint === undefined) throw noSuchEndpoint(name);
  return endpoint;
}

/** One that is enabled again starts with a clean slate: else its next failure could disable it at once. */
function applyUpdate(endpoint: Endpoint, { url, types, description, enabled }: UpdateWebhookEndpoint): Endpoint {
  const isEnabledAgain = enabled === true && endpoint.disabledFor !== null;
  return {
    ...endpoint,
    url: url ?? endpoint.url,
    types: types === undefined ? endpoint.types : types && [...new Set(types)],
    description: description === undefined ? endpoint.description : description,
    disabledFor: enabled === undefined ? endpoint.disabledFor : enabled ? null : (endpoint.disabledFor ?? 'owner'),
    failingSinceMs: isEnabledAgain ? null : endpoint.failingSinceMs,
  };
}

interface Change {
  readonly action: Extract<Act['action'], `webhook_endpoint.${string}`>;
  readonly name: EndpointName;
}

async function record(tx: Transaction, by: Actor, { action, name }: Change): Promise<void> {
  const { endpointId: id, accountId } = name;
  await recordAct(tx, by, { action, accountId: accountId ?? undefined, object: { kind: 'webhook_endpoint', id } });
}
