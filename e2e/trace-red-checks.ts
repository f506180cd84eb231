import { redIn, type RedCheck } from './red-check.ts';

/** The defences of traces: an event and a webhook stay in theirs, and nobody pays for what nobody asked for. */
export const traceRedChecks: readonly RedCheck[] = [
  ...redIn('packages/event-log/test/event-log.postgres.int.test.ts', [
    ['trace-lost-in-log', 'F369 hands out with each record the trace', /- +"00-0af7651916cd43dd8448eb211c80319c/],
  ]),
  ...redIn('e2e/telemetry/trace.e2e.int.test.ts', [
    ['trace-of-batch-taken', 'F369 two events of one batch', /not within 20000 ms/],
    ['webhook-cause-untraced', 'F370 a webhook belongs to the trace', /not within 20000 ms/],
    ['telemetry-sdk-always-loaded', 'F371 the SDK is in no file', /[+] +"[\w-]+\.js"/],
  ]),
];
