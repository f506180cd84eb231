/** Describes a container to start. */
export interface ContainerPlan {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  /** Each port has the same number inside and outside, so that a server can announce its own address. */
  readonly ports: readonly number[];
  /** The container prints this when it is ready. */
  readonly readyLine: string;
}

/** A request of a test to the keeper of its run. */
export type ContainerRequest =
  | { readonly ask: 'image'; readonly image: string }
  | { readonly ask: 'run'; readonly plan: ContainerPlan }
  | { readonly ask: 'kill' | 'start' | 'pause' | 'unpause' | 'remove'; readonly id: string };

/** Docker has the image. The ports of containers are on `host`. */
export interface ImageAnswer {
  readonly host: string;
}

export interface RunAnswer {
  readonly id: string;
}
