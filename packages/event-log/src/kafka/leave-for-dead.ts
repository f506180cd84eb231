import { hostname } from 'node:os';
import type { Kafka } from 'kafkajs';
import type { Logger } from '@tollgate/runtime/logging/create-logger';
import { createKafkaClient, type KafkaConnection } from './connection.ts';

export interface DeadReader {
  readonly connection: KafkaConnection;
  readonly group: string;
  readonly clientId: string;
  readonly log: Logger;
}

interface GroupCoordinator {
  describeGroups(request: { readonly groupIds: readonly string[] }): Promise<{ readonly groups: readonly Group[] }>;
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>;
}

interface Group {
  readonly members: readonly { readonly clientId: string; readonly memberId: string }[];
}

interface Cluster {
  connect(): Promise<void>;
  disconnect(): Promise<void>;
  findGroupCoordinator(request: { readonly groupId: string }): Promise<GroupCoordinator>;
}

const retry = { initialRetryTime: 50, maxRetryTime: 200, retries: 5 };
const requestTimeoutMs = 1_000;

/** The name by which a group shows the readers of a process. */
export function readerIdOf(pid: number): string {
  return `tollgate-${hostname()}-${pid}`;
}

/**
 * For a supervisor whose reader has died: takes its members out of the group, which else would wait for them until their
 * session times out. Returns how many there were. A reader that lives all the same joins again under a new id.
 */
export async function leaveForDead({ connection, group, clientId, log }: DeadReader): Promise<number> {
  const cluster = clusterOf(createKafkaClient({ connection, log, retry, requestTimeoutMs }));
  try {
    await cluster.connect();
    const coordinator = await cluster.findGroupCoordinator({ groupId: group });
    const { groups } = await coordinator.describeGroups({ groupIds: [group] });
    const dead = groups.flatMap(({ members }) => members.filter((member) => member.clientId === clientId));
    for (const { memberId } of dead) await coordinator.leaveGroup({ groupId: group, memberId });
    return dead.length;
  } finally {
    await cluster.disconnect();
  }
}

/** kafkajs has the request, and no call for it: its admin can end a group only as a whole. */
function clusterOf(kafka: Kafka): Cluster {
  const createCluster = Object.getOwnPropertySymbols(kafka).find(
    ({ description }) => description === 'private:Kafka:createCluster',
  );
  if (createCluster === undefined) throw new Error('kafkajs is not that of kafkajs 2.2.4');
  return (kafka as unknown as Record<symbol, (options: object) => Cluster>)[createCluster]?.({}) as Cluster;
}
