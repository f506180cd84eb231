/**
 * The pace of the lanes on the way of an event. A batch has a price besides its events, so under load fewer of them leave
 * more CPU for the rest: docs/decisions/0201 has the figures. Fewer callers than these at a time wait for nothing.
 */
export const underLoad = { startsEveryMs: 8, pacedFromItems: 16 } as const;
