import { dayMs } from './durations.ts';

/** A session lives this long after its last refresh, and that of a browser after its last use. */
export const sessionLifeMs = 30 * dayMs;
/** A session ends this long after its sign-in, however often it is refreshed or used. A stolen session does not live for ever. */
export const sessionAgeMaxMs = 90 * dayMs;
