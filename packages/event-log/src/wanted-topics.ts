/** Partition counts by topic. Undefined: a log in PostgreSQL keeps what it has, and a new log has the default. */
export type WantedTopics = Readonly<Record<string, number | undefined>>;

/**
 * In PostgreSQL two: each more costs a row per append and a flush per look, and two keep a process and PostgreSQL busy
 * (docs/decisions/0212). In Kafka up to four aggregators share them.
 */
export const partitionsByDefault = { postgres: 2, kafka: 4 };
