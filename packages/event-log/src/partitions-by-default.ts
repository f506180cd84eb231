/**
 * Of a new log whose settings name no number. In PostgreSQL two: each more costs a row per append and a flush per look,
 * and two keep a process and PostgreSQL busy (docs/decisions/0212). In Kafka up to four aggregators share them.
 */
export const partitionsByDefault = { postgres: 2, kafka: 4 };
