import kafkajs, { type Admin, type ITopicConfig, type ITopicMetadata } from 'kafkajs';
import { isUnknownTopic } from './kafka-errors.ts';

const { ConfigResourceTypes } = kafkajs; // Node does not see this export by its name

export interface TopicNeeds {
  /** At least. */
  readonly partitions: number;
  /**
   * At least. A record is durable when all of so many brokers but one have it. With a factor of 1 or 2, one broker is
   * enough.
   */
  readonly replicationFactor: number;
  /** How long a record may be kept at most; any time if undefined. */
  readonly retentionMs?: number;
}

/** Room for two of the gateway's largest appends. */
const messageBytesMin = 8 * 1024 * 1024;

/** Without each of them, records are lost, refused, read late, or unreadable for kafkajs, which knows only gzip. */
const neededSettings: Readonly<Record<string, string>> = {
  'cleanup.policy': 'delete', // compaction drops all but the last record of a key
  'compression.type': 'uncompressed', // the broker unpacks records of any codec, and checks their unpacked size
  'message.timestamp.type': 'LogAppendTime', // else retention goes by a time that a producer invented
  'retention.bytes': '-1', // else records are deleted for space before they are counted
  'unclean.leader.election.enable': 'false', // else a broker that lacks acknowledged records may become the leader
};

/** Throws when the topic does not exist or its settings break our promises. The error lists all problems and the command that repairs them. */
export async function refuseUnfitTopic(admin: Admin, topic: string, needs: TopicNeeds): Promise<void> {
  const found = await describeTopic(admin, topic);
  const problems = found === undefined ? ['it is not there'] : findProblems(found, needs);
  if (problems.length > 0) {
    throw new Error(
      `Kafka's topic ${topic}: ${problems.join('; ')}. \`tollgate operator topics\` makes and mends topics.`,
    );
  }
}

/** Makes the topic, or repairs its settings in place. Answers what it did. Safe to repeat. */
export async function mendTopic(admin: Admin, topic: string, needs: TopicNeeds): Promise<string> {
  const found = await describeTopic(admin, topic);
  if (found === undefined) {
    await admin.createTopics({ topics: [newTopic(topic, needs)], waitForLeaders: false });
    return `Made ${topic} with ${needs.partitions} partitions.`;
  }
  const replicas = replicationProblem(found, needs);
  if (replicas !== undefined) {
    throw new Error(`Kafka's topic ${topic}: ${replicas}. Replicas are added with kafka-reassign-partitions.sh.`);
  }
  const problems = findProblems(found, needs);
  if (problems.length === 0) return `${topic} is as it should be.`;
  if (found.partitions < needs.partitions) {
    await admin.createPartitions({ topicPartitions: [{ topic, count: needs.partitions }] });
  }
  // Kafka resets each setting that this call does not name, so it names all of the topic's own.
  const configEntries = Object.entries({ ...found.ownSettings, ...settingsFor(needs) });
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        type: ConfigResourceTypes.TOPIC,
        name: topic,
        configEntries: configEntries.map(([name, value]) => ({ name, value })),
      },
    ],
  });
  return `Mended ${topic}: ${problems.join('; ')}.`;
}

/** How many partitions the topic has now; undefined when it does not exist. */
export async function countPartitions(admin: Admin, topic: string): Promise<number | undefined> {
  return (await findMetadata(admin, topic))?.partitions.length;
}

async function findMetadata(admin: Admin, topic: string): Promise<ITopicMetadata | undefined> {
  const { topics } = await admin.fetchTopicMetadata({ topics: [topic] }).catch((error: unknown) => {
    if (isUnknownTopic(error)) return { topics: [] };
    throw error;
  });
  return topics[0];
}

interface FoundTopic {
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly settings: ReadonlyMap<string, string>;
  /** The settings that were set for this topic. */
  readonly ownSettings: Readonly<Record<string, string>>;
}

const setForTopic = 1; // DYNAMIC_TOPIC_CONFIG, https://kafka.apache.org/protocol#The_Messages_DescribeConfigs

async function describeTopic(admin: Admin, topic: string): Promise<FoundTopic | undefined> {
  const metadata = await findMetadata(admin, topic);
  if (metadata === undefined) return undefined;
  const { resources } = await admin.describeConfigs({
    resources: [{ type: ConfigResourceTypes.TOPIC, name: topic }],
    includeSynonyms: false,
  });
  const entries = resources[0]?.configEntries ?? [];
  return {
    partitions: metadata.partitions.length,
    replicationFactor: Math.min(...metadata.partitions.map(({ replicas }) => replicas.length)),
    settings: new Map(entries.map(({ configName, configValue }) => [configName, configValue])),
    ownSettings: Object.fromEntries(
      entries
        .filter(({ configSource }) => Number(configSource) === setForTopic)
        .map(({ configName, configValue }) => [configName, configValue]),
    ),
  };
}

function findProblems(found: FoundTopic, needs: TopicNeeds): string[] {
  const { settings } = found;
  const problems: (string | undefined)[] = [
    found.partitions < needs.partitions ? `it has ${found.partitions} partitions, not ${needs.partitions}` : undefined,
    replicationProblem(found, needs),
    ...Object.entries(neededSettings).map(([name, needed]) =>
      settings.get(name) === needed ? undefined : `${name} is ${settings.get(name)}, not ${needed}`,
    ),
    tooSmall(settings, 'min.insync.replicas', minInSyncOf(needs)),
    tooSmall(settings, 'max.message.bytes', messageBytesMin),
    retentionProblem(settings, needs),
  ];
  return problems.filter((problem) => problem !== undefined);
}

function tooSmall(settings: FoundTopic['settings'], name: string, min: number): string | undefined {
  return Number(settings.get(name)) >= min ? undefined : `${name} is ${settings.get(name)}, less than ${min}`;
}

function retentionProblem(settings: FoundTopic['settings'], { retentionMs }: TopicNeeds): string | undefined {
  const found = Number(settings.get('retention.ms'));
  if (retentionMs === undefined || (found >= 0 && found <= retentionMs)) return undefined;
  return `retention.ms is ${found}, not at most ${retentionMs}`;
}

function replicationProblem(found: FoundTopic, needs: TopicNeeds): string | undefined {
  if (found.replicationFactor >= needs.replicationFactor) return undefined;
  return `it has ${found.replicationFactor} replicas of a partition, not ${needs.replicationFactor}`;
}

function minInSyncOf({ replicationFactor }: TopicNeeds): number {
  return Math.max(1, replicationFactor - 1);
}

function settingsFor(needs: TopicNeeds): Record<string, string> {
  return {
    ...neededSettings,
    'min.insync.replicas': String(minInSyncOf(needs)),
    'max.message.bytes': String(messageBytesMin),
    ...(needs.retentionMs === undefined ? {} : { 'retention.ms': String(needs.retentionMs) }),
  };
}

function newTopic(topic: string, needs: TopicNeeds): ITopicConfig {
  return {
    topic,
    numPartitions: needs.partitions,
    replicationFactor: needs.replicationFactor,
    configEntries: Object.entries(settingsFor(needs)).map(([name, value]) => ({ name, value })),
  };
}
