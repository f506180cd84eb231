/** Refusals of a record for what it is. A further attempt would be refused again, and would hold up all others. */
const refusals = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);
/** Codes of Node and OpenSSL: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const certificateRefusals = /CERT|^UNABLE_TO_(GET|VERIFY)|ALERT_(UNKNOWN_CA|BAD_CERTIFICATE|HANDSHAKE_FAILURE)/;
const denials = /AUTHORIZATION_FAILED$|^SASL_AUTHENTICATION_FAILED$/;

export function isRefusal(error: unknown): boolean {
  return someCause(error, ({ type }) => refusals.has(String(type)));
}

/** Kafka refused our credentials, or what they may do; or one side refused the certificate of the other. */
export function isDenied(error: unknown): boolean {
  return someCause(error, ({ name, type, code }) => {
    if (name === 'KafkaJSSASLAuthenticationError' || denials.test(String(type))) return true;
    return name === 'KafkaJSConnectionError' && certificateRefusals.test(String(code));
  });
}

export function isUnknownTopic(error: unknown): boolean {
  return someCause(error, ({ type }) => type === 'UNKNOWN_TOPIC_OR_PARTITION');
}

/** Kafka could not be reached or is not ready, or nobody gives us a token for it. After its own retries, kafkajs wraps the error in one that is not retriable. */
export function isAbsence(error: unknown): boolean {
  return !isDenied(error) && someCause(error, ({ retriable, type }) => retriable === true || type === 'NO_TOKEN');
}

interface KafkajsError {
  readonly retriable?: unknown;
  readonly code?: unknown;
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
