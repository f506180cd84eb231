/** A caller with a pass. Others are undefined. */
export interface Caller {
  /** The bearer token, which pays: the key of the pass, or an OAuth token, which changes every hour. */
  readonly bearer: string;
  /** A session belongs to it. */
  readonly passId: string;
}
