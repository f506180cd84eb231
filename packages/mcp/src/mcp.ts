export type { MeterableServer } from './connect-metered.ts';
export { createMetering, createMeteringPorts, meterServer, type MeterServerOptions } from './meter-server.ts';
export { errorMeta } from './refusal-result.ts';
export { idempotencyMeta, keyMeta } from './payer.ts';
export { meterTransport } from './meter-transport.ts';
export { priceMeta } from './prices.ts';
export { tokenVerifier, type PassAuthInfo, type TokenVerifierOptions } from './token-verifier.ts';
