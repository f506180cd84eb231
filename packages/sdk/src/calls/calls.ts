import type { Schemas } from '../client/operation-types.ts';
import type { Tollgate } from '../client/tollgate.ts';
import type { Recorder } from '../meter/recorder.ts';
import { systemClock } from '../clock.ts';
import { createBeginCall, type BeginCall } from './begin-call.ts';
import { createCallPorts } from './call-ports.ts';

export type { BeginCall, CallAsk, CallEnd, CallMetadata, LongerCall, NamedCall, PaidCall } from './begin-call.ts';
export { meterStream, type MeteredStream, type StreamEnd, type StreamOptions } from './meter-stream.ts';
export { deriveSecret } from '../client/derive-secret.ts';
export type { Refusal } from './refusal.ts';

export interface CallsOptions {
  readonly tollgate: Tollgate;
  /** Records the calls that this program's own account pays. Keep it open while calls may run. */
  readonly meter: Recorder;
  /** Refuse each call whose caller has no live pass that allows the tool. Default: false. */
  readonly requirePass?: boolean | undefined;
  /**
   * Hold the money of each call before it runs, so that no spending cap is passed and no work is done for nothing. Give
   * `max` if the price counts durations or metadata. An event that comes later than `ttl_seconds` (5 to 3,600) after its
   * call was asked for is refused: by default that is an hour, since what is held is freed when the call ends, and stays
   * held for so long only if this program dies. The meter's account must be the builder of the tool. Default: false.
   */
  readonly gate?: boolean | Pick<Schemas['AuthorizationInput'], 'max' | 'ttl_seconds'> | undefined;
  /** Gets each error that no caller gets. Default: a warning of the process. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** The most that Tollgate allows: an outage after the call must not cost the builder its money. */
const ttlSecondsDefault = 3_600;
/** Callers give up after a time of their own, often a minute; an agent is told why before that. */
const waitMs = 10_000;

/**
 * Meters calls, and lets their callers pay. A call that comes with a pass or an API key is recorded with it, so its
 * account pays, and its event is sent when the call ends. A call without is recorded by the meter, for the account of this
 * program, and survives crashes.
 */
export function createCalls({ tollgate, meter, gate = false, ...options }: CallsOptions): BeginCall {
  const { requirePass = false, onError = warn } = options;
  const nowMs = () => systemClock.now();
  const asked = typeof gate === 'object' ? gate : {};
  const hold = { ...asked, ttl_seconds: asked.ttl_seconds ?? ttlSecondsDefault };
  const ports = createCallPorts({ tollgate, meter, nowMs, hold });
  const most = asked.max?.metadata ?? undefined;
  return createBeginCall(ports, { requirePass, gate: gate !== false, most, waitMs, onError, nowMs });
}

function warn(error: unknown): void {
  // A program that gives no `onError` has no other place for it, and Workers have no process.
  // oxlint-disable-next-line no-console
  console.warn(`tollgate: ${error instanceof Error ? error.message : String(error)}`);
}
