import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import kafkajs, { Kafka, logLevel, type AclEntry } from 'kafkajs';
import { findKafkaJars } from './kafka-jars.ts';
import { classPathOf } from './kafka-node.ts';

const { AclOperationTypes, AclPermissionTypes, AclResourceTypes, ResourcePatternTypes } = kafkajs;

/** Changes passwords and rights of users, on a Kafka that checks them. */
export interface KafkaAccess {
  /** Uses Kafka's own command, since kafkajs has no such request. Takes some two seconds. */
  givePassword(user: string, password: string): Promise<void>;
  /** Ends the password. A connected client stays until the broker asks it to sign in again. */
  takePassword(user: string): Promise<void>;
  /** Allows everything that the services do with one topic, and reading in any group. */
  allow(user: string, topic: string): Promise<void>;
  /** Takes effect at once, also for connected clients. */
  denyWriting(user: string, topic: string): Promise<void>;
  close(): Promise<void>;
}

const { READ, WRITE, DESCRIBE_CONFIGS, DELETE } = AclOperationTypes;

/** `address`: a listener that asks for no password. */
export async function openKafkaAccess(
  address: string,
  { mechanism = 'SCRAM-SHA-512' }: { readonly mechanism?: 'SCRAM-SHA-256' | 'SCRAM-SHA-512' } = {},
): Promise<KafkaAccess> {
  const admin = new Kafka({ brokers: [address], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  return {
    givePassword: (user, password) =>
      configureUser(address, user, ['--add-config', `${mechanism}=[password=${password}]`]),
    takePassword: (user) => configureUser(address, user, ['--delete-config', mechanism]),
    async allow(user, topic) {
      const onTopic = { resourceType: AclResourceTypes.TOPIC, resourceName: topic };
      const onGroups = { resourceType: AclResourceTypes.GROUP, resourceName: '*' };
      await admin.createAcls({
        acl: [
          ...[READ, WRITE, DESCRIBE_CONFIGS].map((operation) => ({ ...onTopic, ...toUser(user), operation })),
          ...[READ, DELETE].map((operation) => ({ ...onGroups, ...toUser(user), operation })),
        ],
      });
    },
    async denyWriting(user, topic) {
      const what = { resourceType: AclResourceTypes.TOPIC, resourceName: topic, operation: WRITE };
      await admin.deleteAcls({ filters: [{ ...what, ...toUser(user) }] });
    },
    close: () => admin.disconnect(),
  };
}

function toUser(user: string): Pick<AclEntry, 'principal' | 'host' | 'permissionType' | 'resourcePatternType'> {
  const permissionType = AclPermissionTypes.ALLOW;
  return { principal: `User:${user}`, host: '*', permissionType, resourcePatternType: ResourcePatternTypes.LITERAL };
}

async function configureUser(address: string, user: string, change: readonly string[]): Promise<void> {
  const classPath = classPathOf(await findKafkaJars());
  const command = ['kafka.admin.ConfigCommand', '--bootstrap-server', address, '--alter'];
  const whose = ['--entity-type', 'users', '--entity-name', user];
  await promisify(execFile)('java', ['-XX:TieredStopAtLevel=1', ...classPath, ...command, ...whose, ...change]);
}
