/**
 * The bearer of the processor's fee on a charge: the platform, or the builders of the invoice that it pays, in
 * proportion to their earnings.
 */
export type FeeBearer = 'platform' | 'builder';
