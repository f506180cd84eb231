import type { Schemas } from '../client/operation-types.ts';
import type { Tollgate } from '../client/tollgate.ts';
import type { Recorder } from '../meter/recorder.ts';
import { systemClock } from '../clock.ts';
import { createBeginCall, type BeginCall } from './begin-call.ts';
import { createCallPorts } from './call-ports.ts';

export type { BeginCall, CallAsk, CallMetadata, PaidCall } from './begin-call.ts';
export type { Refusal } from './refusal.ts';

export interface CallsOptions {
  readonly tollgate: Tollgate;
  /** Records the calls that this program's own account pays. Keep it open while calls may run. */
  readonly meter: Recorder;
  /** Refuse each call whose caller has no live pass that allows the tool. Default: false. */
  readonly requirePass?: boolean | undefined;
  /**
   * Hold the money of each call before it runs, so that no spending cap is passed and no work is done for nothing. Give
   * `max` if the price counts durations or metadata, and `ttl_seconds` if a call takes longer than 5 minutes. The meter's
   * account must be the builder of the tool. Default: false.
   */
  readonly gate?: boolean | Pick<Schemas['AuthorizationInput'], 'max' | 'ttl_seconds'> | undefined;
  /** Gets each error that no caller is told. Default: a warning of the process. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Meters calls, and lets their callers pay. A call that comes with a pass or an API key is recorded with it, so its
 * account pays, and its event is sent when the call ends. A call without is recorded by the meter, for the account of this
 * program, and survives crashes.
 */
export function createCalls({ tollgate, meter, gate = false, ...options }: CallsOptions): BeginCall {
  const { requirePass = false, onError = warn } = options;
  const nowMs = () => systemClock.now();
  const ports = createCallPorts({ tollgate, meter, nowMs, hold: typeof gate === 'object' ? gate : {} });
  return createBeginCall(ports, { requirePass, gate: gate !== false, onError, nowMs });
}

function warn(error: unknown): void {
  // A program that gives no `onError` has no other place for it, and Workers have no process.
  // oxlint-disable-next-line no-console
  console.warn(`tollgate: ${error instanceof Error ? error.message : String(error)}`);
}
