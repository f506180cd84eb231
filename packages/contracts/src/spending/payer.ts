import { textSchema } from '../forms/text-schema.ts';

/** The key of a pass has 46 characters, and an access token of OAuth at most so many. */
const lengthMax = 4_096;

/** Names who pays for a call: the key of a pass, or an access token of OAuth. */
export const payerSchema = textSchema({ min: 1, max: lengthMax });
