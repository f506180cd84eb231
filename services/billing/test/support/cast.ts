/** Consumers. */
export const ada = 'a0000000-0000-4000-8000-000000000000';
export const bob = 'b0000000-0000-4000-8000-000000000000';
export const cora = 'c0000000-0000-4000-8000-000000000000';

/** Builders: `search` is Xenia's, `maps` is Yann's. */
export const xenia = 'e0000000-0000-4000-8000-000000000000';
export const yann = 'f0000000-0000-4000-8000-000000000000';
