/**
 * The pace of the lanes on the way of an event. A batch costs the gateway and PostgreSQL some 0.7 ms of CPU besides its
 * events, so under load fewer of them leave more for the rest: docs/decisions/0201 has the figures. Fewer callers than
 * these at a time wait for nothing.
 */
export const underLoad = { startsEveryMs: 8, pacedFromItems: 16 } as const;
