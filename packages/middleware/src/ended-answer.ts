/** How an answer ended. */
export interface EndedAnswer {
  readonly status: number;
  /** All of it was sent, whether its reader stayed to the end or not. */
  readonly isWhole: boolean;
  /** `caller`: the caller or the network cut it. `builder`: the API did, by an error. Undefined if it is whole. */
  readonly cutBy: 'caller' | 'builder' | undefined;
  /**
   * Bytes of the body that have left this program. On `node:http` a piece counts once the system has taken all of it: of a
   * body that is written in one piece, and cut, that is none.
   */
  readonly deliveredBytes: number;
}

/** The part of an ended answer that its body tells. */
export type EndedBody = Omit<EndedAnswer, 'status'>;

export const wholeBody = (deliveredBytes: number): EndedBody => ({ isWhole: true, cutBy: undefined, deliveredBytes });

export const cutBody = (cutBy: 'caller' | 'builder', deliveredBytes: number): EndedBody => ({
  isWhole: false,
  cutBy,
  deliveredBytes,
});
