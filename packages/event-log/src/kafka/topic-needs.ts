import { dayMs } from '@tollgate/kernel/durations';
import { partitionsByDefault, type WantedTopics } from '../wanted-topics.ts';
import type { TopicNeeds } from './topics.ts';

export interface TopicSettings {
  /** For a process that appends. */
  readonly topics: WantedTopics;
  /** For a process that reads: how long Kafka may keep records at most, by topic. The log in PostgreSQL has its own job. */
  readonly retentionDays?: Readonly<Record<string, number>>;
}

/** Returns the topics that the settings of a process need in Kafka. */
export function topicNeedsOf({ topics, retentionDays = {} }: TopicSettings, replicationFactor: number) {
  const needs: Record<string, TopicNeeds> = {};
  for (const [topic, partitions = partitionsByDefault.kafka] of Object.entries(topics))
    needs[topic] = { partitions, replicationFactor };
  for (const [topic, days] of Object.entries(retentionDays)) {
    needs[topic] = { partitions: 1, replicationFactor, ...needs[topic], retentionMs: days * dayMs };
  }
  return needs;
}
