import { approvalRedChecks } from './approval-red-checks.ts';
import { gateRedChecks } from './gate-red-checks.ts';
import { mailRedChecks } from './mail-red-checks.ts';
import { mcpRedChecks } from './mcp-red-checks.ts';
import { consoleRedChecks } from './console-red-checks.ts';
import { cookieRedChecks } from './cookie-red-checks.ts';
import { oauthRedChecks } from './oauth-red-checks.ts';
import { outgoingRedChecks } from './outgoing-red-checks.ts';
import { passRedChecks } from './pass-red-checks.ts';
import { moneyRedChecks } from './money-red-checks.ts';
import { redIn, type RedCheck } from './red-check.ts';
import { traceRedChecks } from './trace-red-checks.ts';
import { erasureRedChecks } from './erasure-red-checks.ts';
import { webhookRedChecks } from './webhook-red-checks.ts';

const killed = 'F01 F12 F34';
const sameRows = 'F12 F13 F14 F27 F35 PostgreSQL and the model';

export const redChecks: readonly RedCheck[] = [
  ...gateRedChecks,
  ...approvalRedChecks,
  ...passRedChecks,
  ...mcpRedChecks,
  ...consoleRedChecks,
  ...cookieRedChecks,
  ...oauthRedChecks,
  ...outgoingRedChecks,
  ...erasureRedChecks,
  ...webhookRedChecks,
  ...mailRedChecks,
  ...moneyRedChecks,
  ...traceRedChecks,
  ...redIn('e2e/kill/kill.e2e.int.test.ts', [
    ['key-table-removed', killed, /doubled: .* is counted again/],
    ['answer-before-append', killed, /lost: .* is not counted/],
  ]),
  ...redIn('services/auth/test/device-login/device-login.int.test.ts', [
    ['device-token-given-again', 'F241 gives one token to many', /[+] +200,/],
    ['device-token-of-ended-session', 'F241 ends with what ends sessions', /[+] .*"status": 200/],
    ['device-code-guessed-freely', 'F242 are guessed no faster', /[-] +429,\s+[+] +404,/],
  ]),
  ...redIn('e2e/clients/stored-session.e2e.int.test.ts', [
    ['stored-token-sent-elsewhere', 'F275 is used at the address', /Expected substring: "You are signed in at/],
  ]),
  ...redIn('services/ingest-gateway/test/tools/tools.int.test.ts', [
    ['archived-tool-not-forgotten', 'F159 forgets an archived tool', /not within 1000 ms: the condition never held/],
  ]),
  ...redIn('services/aggregator/test/counting/counting.int.test.ts', [
    ['pass-sum-overwritten', 'F95 counts the events', /[+] .*t 1 5 /],
    ['cursor-not-compared', 'F13 F14', /Received promise resolved instead of rejected/],
    ['inserts-unordered', 'F37 four writers', /deadlock detected/],
  ]),
  ...redIn('services/aggregator/test/counting/archived-keys.int.test.ts', [
    ['new-archives-not-known', 'F173 counts once after its archive', /[-] +41,\s+[+] +81,/],
    ['keys-removed-too-early', 'F173 that is killed at any statement', /[-] +41,\s+[+] +81,/],
  ]),
  ...redIn('services/aggregator/test/counting/counting-simulation.int.test.ts', [
    ['cursor-not-compared', sameRows, /a flush from \d+ was counted at cursor \d+/],
    ['key-table-removed', sameRows, /"repeats"?.* instead of /],
  ]),
  ...redIn('services/aggregator/test/counting/usage-consumer.int.test.ts', [
    [
      'nest-failed-batch-swallowed',
      'F33 hands a batch out again',
      /[-] .*"firstOffset": 0n[^]*[+] .*"firstOffset": \d+n/,
    ],
  ]),
  ...redIn('services/ingest-gateway/test/recording/weather.long.int.test.ts', [
    ['flood-read-first', 'F83 refuses before it reads', /Received.*0/],
  ]),
  ...redIn('services/ingest-gateway/test/edge/record-line.int.test.ts', [
    ['line-forgets-replay', 'gives the answers and makes', /- +idempotent-replayed: true/],
  ]),
  ...redIn('packages/runtime/test/http/plain-connections.int.test.ts', [
    ['plain-reads-framing', 'F81 are Node’s with chunks', /Received: \{/],
    ['plain-answers-early', 'in front of others is answered before them: /later', /[-] +"[^\n]*a[^\n]*",/],
  ]),
  ...redIn('services/ingest-gateway/test/shared-memory/redis.int.test.ts', [
    ['revocation-not-heard', 'F69 no longer lets a revoked key in', /not within 5000 ms/],
    ['redis-waited-for', 'F08 is decided by the gateway', /no run took less than 60 ms: (1\d|2\d)\d\d,/],
  ]),
  ...redIn('packages/runtime/test/auth/news-in-time.int.test.ts', [
    ['news-polled-late', 'a revoked key is known within', /no run took less than 1000 ms: 2/],
    ['news-connection-not-asked', 'delays the news of a revoked key', /no run took less than 1000 ms: [1-5]/],
    ['news-not-announced', 'a revoked key is known before', /no run took less than 250 ms: [45]/],
  ]),
  ...redIn('e2e/isolation/idempotency-keys.e2e.int.test.ts', [
    ['key-silently-ignored', 'F276 refuses the key at increaseAuthorization', /[+] +"status": 200/],
    ['reply-secret-sealed-by-account', 'F276 has the key of a pass again', /[+] +"status": 201/],
  ]),
  ...redIn('services/auth/src/accounts/breached-passwords.test.ts', [
    ['breach-filter-unread', 'is refused if it is of 10 to', /[+] +"is": false/],
    ['breach-check-of-a-byte', 'takes no more than one of 60,000', /Expected: < .*15[^]*Received: .*[0-9]{3,}/],
    ['breach-list-unchecked', 'has another byte', /Received promise resolved/],
  ]),
  ...redIn('services/auth/test/accounts/accounts.int.test.ts', [
    ['decoy-cheaper', 'F71 takes the same time', /Expected: .*< .*0\.1[^]*Received: .*0\.[1-9]/],
  ]),
  ...redIn('services/auth/test/accounts/password.int.test.ts', [
    ['sign-in-not-locked', 'lets no sign-in with the old', /\+ +"status": 200/],
  ]),
  ...redIn('packages/database/test/database.int.test.ts', [
    ['silent-connections-kept', 'costs one time-out, not one for each', /cannot reach its storage/],
  ]),
  ...redIn('packages/event-log/test/kafka/append-lane.int.test.ts', [
    ['kafka-answer-before-append', 'F17 rejects what it cannot know', /Received promise resolved instead of rejected/],
    ['kafka-leader-alone', 'F19 asks for the word of all', /[-] +-1,\s+[+] +1,/],
  ]),
  ...redIn('packages/event-log/src/kafka/group-member.test.ts', [
    ['kafka-old-generation-read', 'is not handed out once the group', /[+] +"1–2"/],
    ['kafka-two-handlers', 'is not read while a handler', /[+] +"0–2"/],
  ]),
  ...redIn('packages/event-log/test/kafka/subscribe.long.int.test.ts', [
    ['kafka-cursor-not-sought', 'F13 goes by its own cursor', /[-] +"b",\s+[-] +"c",/],
    [
      'kafka-gap-not-refused',
      'F23 does not begin where some',
      /handed out c/,
      'F23 stops when records are deleted before they are counted, and the log goes',
      /handed out c/,
    ],
  ]),
  ...redIn('packages/event-log/src/kafka/log-ends.test.ts', [
    ['kafka-gap-not-refused', 'F23 has lost records where it begins', /Received function did not throw/],
  ]),
  ...redIn('packages/event-log/test/kafka/leave-for-dead.int.test.ts', [
    ['dead-reader-not-left', 'F273 the other reads on', /Received: +\d{4,}/],
  ]),
  ...redIn('services/aggregator/test/counting/frozen-kafka.int.test.ts', [
    ['log-not-looked-at', 'names the log alone', /not within \d+ ms/],
  ]),
  ...redIn('packages/event-log/src/kafka/mend-kafkajs.test.ts', [
    ['commit-closes-connections', 'leaves the connections open', /Expected number of calls: 0/],
  ]),
  ...redIn('packages/testkit/test/path-router.int.test.ts', [
    ['edge-connection-forwarded', 'F272 forwards no header', /[+] +"keep-alive": "timeout=1"/],
    ['edge-closed-is-dying', 'F272 a service that closes one connection', /Received: 503/],
  ]),
  ...redIn('packages/event-log/test/kafka/made-anew.int.test.ts', [
    ['kafka-another-log-read', 'F271 ends a stopped reader when it holds more', /counted g, h/],
    ['kafka-anchored-once', 'F271 ends a reader that was busy', /counted g, h/],
  ]),
  ...redIn('services/aggregator/test/counting/kafka.int.test.ts', [
    ['last-record-not-kept', 'F271 ends before it counts', /Received value must be an object|undefined/],
  ]),
  ...redIn('packages/event-log/test/event-log.kafka.int.test.ts', [
    ['kafka-failed-batch-swallowed', 'hands out a batch again', /- +"[0-9a-f-]{36}",?\s+\+ +"[0-9a-f-]{36}"/],
  ]),
  ...redIn('services/aggregator/test/counting/counting-simulation.test.ts', [
    ['watermark-without-deadline', 'F05 F12 F13', /the watermark is at \d+.*(is not counted|without it)/],
  ]),
  ...redIn('services/ingest-gateway/src/recording/record-events.test.ts', [
    [
      'late-append-acknowledged',
      'F16 never tells a success after the deadline',
      /recorded/,
      'F49 never tells a success after the clock was moved',
      /recorded/,
    ],
  ]),
  ...redIn('services/aggregator/test/retention/watermark-and-retention.int.test.ts', [
    [
      'dropped-uncounted',
      'F44 drops a day only once the watermark',
      /event_20260813/,
      'F44 keeps a segment of the log',
      /record_batch_20261101/,
    ],
  ]),
  ...redIn('e2e/isolation/matrix.e2e.int.test.ts', [
    ['ended-session-let-in', 'F69 refuses the tokens of a session', /Expected: .*401/],
    ['policy-opened', 'F75 O5 lets billing_api see no row', /"name": "usage\.rollup"/],
    ['builder-sees-metadata', 'F72 O5 shows a builder who called', /Expected substring: not .*canary/],
  ]),
  ...redIn('packages/database/test/back-up.long.int.test.ts', [
    ['backup-log-not-kept', 'F192 is whole although', /ENOENT|could not|already been removed/],
    ['backup-log-not-copied', 'F192 is whole although', /PostgreSQL|could not|checkpoint/],
    ['backup-not-compared', 'F192 that is damaged', /did not throw/],
  ]),
  ...redIn('services/standalone/test/service-install.int.test.ts', [
    ['unit-not-confined', 'F353 are what systemd takes without a warning', /Expected: <= 2.5/],
    ['manager-not-told-ready', 'F354 are told when the service is ready', /Expected substring: "READY=1"/],
  ]),
  ...redIn('services/standalone/test/verified-backup.long.int.test.ts', [
    ['backup-counts-not-compared', 'F355 call a backup good only if its books agree', /"code": 0/],
  ]),
  ...redIn('services/standalone/test/backup.int.test.ts', [
    ['hot-copy-started', 'F194 is refused', /Exceeded timeout|Expected|ready/],
    ['restored-sessions-kept', 'F192 F193', /Expected: 401[^]*Received: 200/],
    ['revoked-keys-revived', 'F192 F193', /1 API keys are revoked/],
    ['revoked-passes-revived', 'F192 F193', /1 passes are revoked/],
  ]),
  ...redIn('packages/sdk/test/meter-disks.int.test.ts', [
    ['spool-not-flushed', 'F145 has every event', /[-] Expected +- 10\d/],
  ]),
  ...redIn('packages/sdk/test/meter.int.test.ts', [
    ['spool-not-fenced', 'F205 an event whose segment was taken', /Expected length:\s+2/],
    ['spool-key-made-anew', 'F206 events whose answer was lost', /within/],
  ]),
  ...redIn('packages/sdk/test/spool-corpus.int.test.ts', [
    ['spool-torn-tail-kept', 'F200 is read as its expected.json says: torn-tail', /damaged_line/],
  ]),
  ...redIn('packages/sdk/src/meter/back-off.test.ts', [
    ['retry-after-obeyed', 'F261 waits five minutes at most, though the service says 301', /Expected: 300000/],
  ]),
  ...redIn('packages/sdk/test/meter-close.int.test.ts', [
    ['sender-not-restarted', 'F261 when its sender dies', /not within|the clock broke/],
  ]),
  ...redIn('e2e/clients/middleware-cuts.long.int.test.ts', [
    [
      'cut-answer-counted',
      'F262 that is cut at its beginning is a failed call, though it was written at once, on a fetch handler',
      /not within/,
    ],
    [
      'preflight-refused',
      'F262 to a preflight is neither refused nor metered, and has no body to get for nothing, on Express',
      /[+] +402/,
    ],
  ]),
  ...redIn('e2e/clients/refused-events.e2e.int.test.ts', [
    [
      'refused-event-keeps-its-hold',
      'F323 holds nothing any more where its caller pays by an API key',
      /not within 10000 ms/,
    ],
    [
      'refused-spooled-event-keeps-its-hold',
      'F323 holds nothing any more, and its builder is told, by a meter on disk',
      /not within 10000 ms/,
    ],
  ]),
  ...redIn('e2e/clients/middleware-event-streams.e2e.int.test.ts', [
    [
      'event-stream-free-when-cut',
      'F324 whose client hangs up, at each event, costs what each policy says and holds nothing, on Express',
      /not within 10000 ms/,
    ],
  ]),
  ...redIn('e2e/clients/model-streams.e2e.int.test.ts', [
    [
      'stream-aborted-model-whole',
      'F325 is known to be cut at each word by its own signal, and costs what each policy says, once',
      /[-] +"caller",/,
    ],
  ]),
  ...redIn('packages/sdk/src/calls/meter-stream.test.ts', [
    [
      'stream-paid-before-its-first-item',
      'F326 costs by the policy delivered when its reader stops after 0 items',
      /[+] .*"success": true/,
    ],
    [
      'stream-settled-twice',
      'F327 settles at once when its reader stops while its source hangs',
      /[+] .*"success": true/,
    ],
    [
      'stream-late-item-handed-on',
      'F327 settles at once when its signal fires while its source hangs',
      /resolved instead of rejected/,
    ],
  ]),
  ...redIn('services/ingest-gateway/src/recording/log-up.test.ts', [
    ['log-away-untold', 'follows appends for two minutes', /Received: true/],
  ]),
];
