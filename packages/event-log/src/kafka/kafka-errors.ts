/** Refusals of a record for what it is. A further attempt would be refused again, and would hold up all others. */
const refusals = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);
const denials = /AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$/;

export function isRefusal(error: unknown): boolean {
  return someCause(error, ({ type }) => refusals.has(String(type)));
}

/** Kafka refused our credentials, or what they may do. */
export function isDenied(error: unknown): boolean {
  return someCause(error, ({ name, type }) => name === 'KafkaJSSASLAuthenticationError' || denials.test(String(type)));
}

export function isUnknownTopic(error: unknown): boolean {
  return someCause(error, ({ type }) => type === 'UNKNOWN_TOPIC_OR_PARTITION');
}

/** Kafka could not be reached, or is not ready. After its own retries, kafkajs wraps the error in one that is not retriable. */
export function isAbsence(error: unknown): boolean {
  return !isDenied(error) && someCause(error, ({ retriable }) => retriable === true);
}

interface KafkajsError {
  readonly retriable?: unknown;
  readonly name?: unknown;
  readonly type?: unknown;
  readonly cause?: unknown;
}

/** kafkajs wraps the error of a request in others, as their cause. */
function someCause(error: unknown, isWanted: (error: KafkajsError) => boolean): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const known: KafkajsError = error;
  return isWanted(known) || someCause(known.cause, isWanted);
}
