import { gateRedChecks } from './gate-red-checks.ts';
import { mcpRedChecks } from './mcp-red-checks.ts';
import { passRedChecks } from './pass-red-checks.ts';
import { moneyRedChecks } from './money-red-checks.ts';
import type { RedCheck } from './red-check.ts';

const backUpTest = 'packages/database/test/back-up.int.test.ts';
const standaloneBackupTest = 'services/standalone/test/backup.int.test.ts';
const countingTest = 'services/aggregator/test/counting/counting.int.test.ts';
const archivedKeysTest = 'services/aggregator/test/counting/archived-keys.int.test.ts';
const simulatedTest = 'services/aggregator/test/counting/counting-simulation.test.ts';
const simulatedOnPostgresTest = 'services/aggregator/test/counting/counting-simulation.int.test.ts';
const idempotencyKeysTest = 'e2e/isolation/idempotency-keys.e2e.int.test.ts';
const matrixTest = 'e2e/isolation/matrix.e2e.int.test.ts';
const appendLaneTest = 'packages/event-log/test/kafka/append-lane.int.test.ts';
const pathRouterTest = 'packages/testkit/test/path-router.int.test.ts';
const madeAnewTest = 'packages/event-log/test/kafka/made-anew.int.test.ts';
const subscribeTest = 'packages/event-log/test/kafka/subscribe.int.test.ts';
const groupMemberTest = 'packages/event-log/src/kafka/group-member.test.ts';
const newsTest = 'packages/runtime/test/auth/news-in-time.int.test.ts';
const breachedTest = 'services/auth/src/accounts/breached-passwords.test.ts';
const deviceLoginTest = 'services/auth/test/device-login/device-login.int.test.ts';
const middlewareCutsTest = 'e2e/clients/middleware-cuts.e2e.int.test.ts';
const meterCloseTest = 'packages/sdk/test/meter-close.int.test.ts';
const meterTest = 'packages/sdk/test/meter.int.test.ts';
const killTest = 'e2e/kill/kill.e2e.int.test.ts';
const killed = 'F01 F12 F34';
const sameRows = 'F12 F13 F14 F27 F35 PostgreSQL and the model';

export const redChecks: readonly RedCheck[] = [
  ...gateRedChecks,
  ...passRedChecks,
  ...mcpRedChecks,
  ...moneyRedChecks,
  { patch: 'key-table-removed', test: killTest, red: [{ title: killed, because: /doubled: .* is counted again/ }] },
  { patch: 'answer-before-append', test: killTest, red: [{ title: killed, because: /lost: .* is not counted/ }] },
  {
    patch: 'device-token-given-again',
    test: deviceLoginTest,
    red: [{ title: 'F241 gives one token to many', because: /[+] +200,/ }],
  },
  {
    patch: 'device-token-of-ended-session',
    test: deviceLoginTest,
    red: [{ title: 'F241 ends with what ends sessions', because: /[+] .*"status": 200/ }],
  },
  {
    patch: 'device-code-guessed-freely',
    test: deviceLoginTest,
    red: [{ title: 'F242 are guessed no faster', because: /[-] +429,\s+[+] +404,/ }],
  },
  {
    patch: 'stored-token-sent-elsewhere',
    test: 'e2e/clients/stored-session.e2e.int.test.ts',
    red: [{ title: 'F275 is used at the address', because: /Expected substring: "You are signed in at/ }],
  },
  {
    patch: 'archived-tool-not-forgotten',
    test: 'services/ingest-gateway/test/tools/archived-tool.int.test.ts',
    red: [{ title: 'F159 forgets an archived tool', because: /not within 1000 ms: the condition never held/ }],
  },
  {
    patch: 'pass-sum-overwritten',
    test: countingTest,
    red: [{ title: 'F95 counts the events', because: /[+] .*t 1 5 / }],
  },
  {
    patch: 'new-archives-not-known',
    test: archivedKeysTest,
    red: [{ title: 'F173 counts once after its archive', because: /[-] +41,\s+[+] +81,/ }],
  },
  {
    patch: 'keys-removed-too-early',
    test: archivedKeysTest,
    red: [{ title: 'F173 that is killed at any statement', because: /[-] +41,\s+[+] +81,/ }],
  },
  {
    patch: 'cursor-not-compared',
    test: countingTest,
    red: [{ title: 'F13 F14', because: /Received promise resolved instead of rejected/ }],
  },
  {
    patch: 'cursor-not-compared',
    test: simulatedOnPostgresTest,
    red: [{ title: sameRows, because: /a flush from \d+ was counted at cursor \d+/ }],
  },
  {
    patch: 'key-table-removed',
    test: simulatedOnPostgresTest,
    red: [{ title: sameRows, because: /"repeats"?.* instead of / }],
  },
  {
    patch: 'inserts-unordered',
    test: countingTest,
    red: [{ title: 'F37 four writers', because: /deadlock detected/ }],
  },
  {
    patch: 'nest-failed-batch-swallowed',
    test: 'services/aggregator/test/counting/usage-consumer.int.test.ts',
    red: [{ title: 'F33 hands a batch out again', because: /[-] .*"firstOffset": 0n[^]*[+] .*"firstOffset": \d+n/ }],
  },
  {
    patch: 'flood-read-first',
    test: 'services/ingest-gateway/test/recording/weather.int.test.ts',
    red: [{ title: 'F83 refuses before it reads', because: /Received.*0/ }],
  },
  {
    patch: 'revocation-not-heard',
    test: 'services/ingest-gateway/test/shared-memory/redis.int.test.ts',
    red: [{ title: 'F69 no longer lets a revoked key in', because: /not within 5000 ms/ }],
  },
  {
    patch: 'news-polled-late',
    test: newsTest,
    red: [{ title: 'a revoked key is known within', because: /no run took less than 1000 ms: 2/ }],
  },
  {
    patch: 'news-connection-not-asked',
    test: newsTest,
    red: [{ title: 'delays the news of a revoked key', because: /no run took less than 1000 ms: [1-5]/ }],
  },
  {
    patch: 'news-not-announced',
    test: newsTest,
    red: [{ title: 'a revoked key is known before', because: /no run took less than 250 ms: [45]/ }],
  },
  {
    patch: 'redis-waited-for',
    test: 'services/ingest-gateway/test/shared-memory/redis.int.test.ts',
    red: [{ title: 'F08 is decided by the gateway', because: /no run took less than 60 ms: (1\d|2\d)\d\d,/ }],
  },
  {
    patch: 'key-silently-ignored',
    test: idempotencyKeysTest,
    red: [{ title: 'F276 refuses the key at increaseAuthorization', because: /[+] +"status": 200/ }],
  },
  {
    patch: 'reply-secret-sealed-by-account',
    test: idempotencyKeysTest,
    red: [{ title: 'F276 has the key of a pass again', because: /[+] +"status": 201/ }],
  },
  {
    patch: 'breach-filter-unread',
    test: breachedTest,
    red: [{ title: 'is refused if it is of 10 to', because: /[+] +"is": false/ }],
  },
  {
    patch: 'breach-check-of-a-byte',
    test: breachedTest,
    red: [{ title: 'takes no more than one of 60,000', because: /Expected: < .*15[^]*Received: .*[0-9]{3,}/ }],
  },
  {
    patch: 'breach-list-unchecked',
    test: breachedTest,
    red: [{ title: 'has another byte', because: /Received promise resolved/ }],
  },
  {
    patch: 'decoy-cheaper',
    test: 'services/auth/test/accounts/enumeration.int.test.ts',
    red: [{ title: 'F71 takes the same time', because: /Expected: .*< .*0\.1[^]*Received: .*0\.[1-9]/ }],
  },
  {
    patch: 'sign-in-not-locked',
    test: 'services/auth/test/accounts/password.int.test.ts',
    red: [{ title: 'lets no sign-in with the old', because: /\+ +"status": 200/ }],
  },
  {
    patch: 'silent-connections-kept',
    test: 'packages/database/test/database.int.test.ts',
    red: [{ title: 'costs one time-out, not one for each', because: /cannot reach its storage/ }],
  },
  {
    patch: 'kafka-answer-before-append',
    test: appendLaneTest,
    red: [{ title: 'F17 rejects what it cannot know', because: /Received promise resolved instead of rejected/ }],
  },
  {
    patch: 'kafka-leader-alone',
    test: appendLaneTest,
    red: [{ title: 'F19 asks for the word of all', because: /[-] +-1,\s+[+] +1,/ }],
  },
  {
    patch: 'kafka-old-generation-read',
    test: groupMemberTest,
    red: [{ title: 'is not handed out once the group', because: /[+] +"1–2"/ }],
  },
  {
    patch: 'kafka-two-handlers',
    test: groupMemberTest,
    red: [{ title: 'is not read while a handler', because: /[+] +"0–2"/ }],
  },
  {
    patch: 'kafka-cursor-not-sought',
    test: subscribeTest,
    red: [{ title: 'F13 goes by its own cursor', because: /[-] +"b",\s+[-] +"c",/ }],
  },
  {
    patch: 'kafka-gap-not-refused',
    test: subscribeTest,
    red: [
      { title: 'F23 does not begin where some', because: /handed out c/ },
      {
        title: 'F23 stops when records are deleted before they are counted, and the log goes',
        because: /handed out c/,
      },
    ],
  },
  {
    patch: 'kafka-gap-not-refused',
    test: 'packages/event-log/src/kafka/log-ends.test.ts',
    red: [{ title: 'F23 has lost records where it begins', because: /Received function did not throw/ }],
  },
  {
    patch: 'dead-reader-not-left',
    test: 'packages/event-log/test/kafka/leave-for-dead.int.test.ts',
    red: [{ title: 'F273 the other reads on', because: /Received: +\d{4,}/ }],
  },
  {
    patch: 'log-not-looked-at',
    test: 'services/aggregator/test/counting/frozen-kafka.int.test.ts',
    red: [{ title: 'names the log alone', because: /not within \d+ ms/ }],
  },
  {
    patch: 'commit-closes-connections',
    test: 'packages/event-log/src/kafka/mend-kafkajs.test.ts',
    red: [{ title: 'leaves the connections open', because: /Expected number of calls: 0/ }],
  },
  {
    patch: 'edge-connection-forwarded',
    test: pathRouterTest,
    red: [{ title: 'F272 forwards no header', because: /[+] +"keep-alive": "timeout=1"/ }],
  },
  {
    patch: 'edge-closed-is-dying',
    test: pathRouterTest,
    red: [{ title: 'F272 a service that closes one connection', because: /Received: 503/ }],
  },
  {
    patch: 'kafka-another-log-read',
    test: madeAnewTest,
    red: [{ title: 'F271 ends a stopped reader when it holds more', because: /counted g, h/ }],
  },
  {
    patch: 'kafka-anchored-once',
    test: madeAnewTest,
    red: [{ title: 'F271 ends a reader that was busy', because: /counted g, h/ }],
  },
  {
    patch: 'last-record-not-kept',
    test: 'services/aggregator/test/counting/kafka.int.test.ts',
    red: [{ title: 'F271 ends before it counts', because: /Received value must be an object|undefined/ }],
  },
  {
    patch: 'kafka-failed-batch-swallowed',
    test: 'packages/event-log/test/event-log.kafka.int.test.ts',
    red: [{ title: 'hands out a batch again', because: /- +"[0-9a-f-]{36}",?\s+\+ +"[0-9a-f-]{36}"/ }],
  },
  {
    patch: 'watermark-without-deadline',
    test: simulatedTest,
    red: [{ title: 'F05 F12 F13', because: /the watermark is at \d+.*(is not counted|without it)/ }],
  },
  {
    patch: 'late-append-acknowledged',
    test: 'services/ingest-gateway/src/recording/record-events.test.ts',
    red: [
      { title: 'F16 never tells a success after the deadline', because: /recorded/ },
      { title: 'F49 never tells a success after the clock was moved', because: /recorded/ },
    ],
  },
  {
    patch: 'dropped-uncounted',
    test: 'services/aggregator/test/retention/watermark-and-retention.int.test.ts',
    red: [
      { title: 'F44 drops a day only once the watermark', because: /event_20260813/ },
      { title: 'F44 keeps a segment of the log', because: /record_batch_20261101/ },
    ],
  },
  {
    patch: 'ended-session-let-in',
    test: matrixTest,
    red: [{ title: 'F69 refuses the tokens of a session', because: /Expected: .*401/ }],
  },
  {
    patch: 'policy-opened',
    test: matrixTest,
    red: [{ title: 'F75 O5 lets billing_api see no row', because: /"name": "usage\.rollup"/ }],
  },
  {
    patch: 'builder-sees-metadata',
    test: matrixTest,
    red: [{ title: 'F72 O5 shows a builder who called', because: /Expected substring: not .*canary/ }],
  },
  {
    patch: 'backup-log-not-kept',
    test: backUpTest,
    red: [{ title: 'F192 is whole although', because: /ENOENT|could not|already been removed/ }],
  },
  {
    patch: 'backup-log-not-copied',
    test: backUpTest,
    red: [{ title: 'F192 is whole although', because: /PostgreSQL|could not|checkpoint/ }],
  },
  {
    patch: 'backup-not-compared',
    test: backUpTest,
    red: [{ title: 'F192 that is damaged', because: /did not throw/ }],
  },
  {
    patch: 'hot-copy-started',
    test: standaloneBackupTest,
    red: [{ title: 'F194 is refused', because: /Exceeded timeout|Expected|ready/ }],
  },
  {
    patch: 'restored-sessions-kept',
    test: standaloneBackupTest,
    red: [{ title: 'F192 F193', because: /Expected: 401[^]*Received: 200/ }],
  },
  {
    patch: 'revoked-keys-revived',
    test: standaloneBackupTest,
    red: [{ title: 'F192 F193', because: /1 API keys are revoked/ }],
  },
  {
    patch: 'spool-not-flushed',
    test: 'packages/sdk/test/meter-disks.int.test.ts',
    red: [{ title: 'F145 has every event', because: /[-] Expected +- 10\d/ }],
  },
  {
    patch: 'spool-not-fenced',
    test: meterTest,
    red: [{ title: 'F205 an event whose segment was taken', because: /Expected length:\s+2/ }],
  },
  {
    patch: 'spool-key-made-anew',
    test: meterTest,
    red: [{ title: 'F206 events whose answer was lost', because: /within/ }],
  },
  {
    patch: 'spool-torn-tail-kept',
    test: 'packages/sdk/test/spool-corpus.int.test.ts',
    red: [{ title: 'F200 is read as its expected.json says: torn-tail', because: /damaged_line/ }],
  },
  {
    patch: 'retry-after-obeyed',
    test: 'packages/sdk/src/meter/back-off.test.ts',
    red: [{ title: 'F261 waits five minutes at most, though the service says 301', because: /Expected: 300000/ }],
  },
  {
    patch: 'sender-not-restarted',
    test: meterCloseTest,
    red: [{ title: 'F261 when its sender dies', because: /not within|the clock broke/ }],
  },
  {
    patch: 'cut-answer-counted',
    test: middlewareCutsTest,
    red: [
      {
        title: 'F262 that is cut at its beginning is a failed call, though it was written at once, on a fetch handler',
        because: /not within/,
      },
    ],
  },
  {
    patch: 'preflight-refused',
    test: middlewareCutsTest,
    red: [
      {
        title: 'F262 to a preflight is neither refused nor metered, and has no body to get for nothing, on Express',
        because: /[+] +402/,
      },
    ],
  },
  {
    patch: 'log-away-untold',
    test: 'services/ingest-gateway/src/recording/log-up.test.ts',
    red: [{ title: 'follows appends for two minutes', because: /Received: true/ }],
  },
];
