/** The one answer of a socket of the keeper: how to reach the server, or why there is none. */
export type KeeperAnswer<Answer> = Answer | { readonly error: string };
