export { TollgateError, type ClientErrorCode } from './client/error.ts';
export type { Event } from './client/events.ts';
export { Listing } from './client/listing.ts';
export type { Schemas } from './client/operation-types.ts';
export type { CallOptions } from './client/attempt.ts';
export { Tollgate, type TollgateOptions } from './client/tollgate.ts';
export { EdgeMeter, type EdgeMeterOptions } from './meter/edge-meter.ts';
export type { Recorded, Recorder } from './meter/recorder.ts';
export type { ToolCall } from './meter/to-event.ts';
