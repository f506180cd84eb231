export type { MeterableServer, MeteringPorts } from './meter-handlers.ts';
export { createMetering, createMeteringPorts, meterServer, type MeterServerOptions } from './meter-server.ts';
export { createFolderRepeatStore } from './undelivered/folder-repeat-store.ts';
export { createMemoryRepeatStore } from './undelivered/memory-repeat-store.ts';
export type { RepeatStore, RepeatStoreBounds } from './undelivered/repeat-store.ts';
export { errorMeta } from './refusal-result.ts';
export { idempotencyMeta, keyMeta } from './payer.ts';
export { priceMeta } from './prices.ts';
export {
  protectedResource,
  type ProtectedResource,
  type ProtectedResourceMetadata,
  type ProtectedResourceOptions,
} from './protected-resource.ts';
export { tokenVerifier, type PassAuthInfo, type TokenVerifierOptions } from './token-verifier.ts';
