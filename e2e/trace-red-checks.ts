import { redIn, type RedCheck } from './red-check.ts';

/** The defences of what an operator sees: traces that hold together, for those who want them, and signals that speak in time. */
export const traceRedChecks: readonly RedCheck[] = [
  ...redIn('packages/event-log/test/event-log.postgres.int.test.ts', [
    ['trace-lost-in-log', 'F369 hands out with each record the trace', /- +"00-0af7651916cd43dd8448eb211c80319c/],
  ]),
  ...redIn('e2e/telemetry/trace.e2e.int.test.ts', [
    ['trace-of-batch-taken', 'F369 two events of one batch', /not within 20000 ms/],
    ['trace-begun-for-an-event', 'F369 are followed whole', /not within 10000 ms/],
    ['webhook-cause-untraced', 'F370 a webhook belongs to the trace', /not within 20000 ms/],
    ['telemetry-sdk-always-loaded', 'F371 the SDK is in no file', /[+] +"[\w-]+\.js"/],
  ]),
  ...redIn('e2e/production/tls.long.int.test.ts', [
    ['nginx-keeps-old-certificate', 'F385 nginx serves the renewed certificate', /not within 10000 ms/],
    ['nginx-believes-callers', 'F385 nginx serves Tollgate by TLS', /[+] +401,/],
  ]),
  ...redIn('e2e/production/one-server.long.int.test.ts', [
    ['backup-killed-by-its-unit', 'F390 upgrades after a verified backup', /a fatal signal was delivered/],
  ]),
  ...redIn('tools/chart.long.int.test.ts', [
    ['jobs-without-certificates', 'F391 gives each pod the certificates', /[-] +"postgresql",/],
  ]),
  ...redIn('services/standalone/src/commands/judge-status.test.ts', [
    [
      'certificate-told-too-late',
      'F372 needs the operator for one reason: certificateEndsIn',
      /ObjectContaining|StringMatching/,
    ],
  ]),
];
