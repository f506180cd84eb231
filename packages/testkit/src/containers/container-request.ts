/** A server as a container: what has to be known before it is made. */
export interface ContainerPlan {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** The ports inside are those outside, so a server can tell its clients where it is. */
  readonly ports: readonly number[];
  /** What it prints when it is ready. */
  readonly readyLine: string;
}

/** What a test asks the keeper of its run. */
export type ContainerRequest =
  | { readonly ask: 'image'; readonly image: string }
  | { readonly ask: 'run'; readonly plan: ContainerPlan }
  | { readonly ask: 'kill' | 'start' | 'pause' | 'unpause' | 'remove'; readonly id: string };

/** Docker has the image; ports of containers are found on `host`. */
export interface ImageAnswer {
  readonly host: string;
}

export interface RunAnswer {
  readonly id: string;
}
