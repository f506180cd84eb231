import { z } from 'zod';

const pattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name of a tool in paths and events. It never changes and is never used for another tool. */
export const slugSchema = z
  .string()
  .regex(pattern, { error: 'must be 1 to 63 lower-case letters, digits and inner hyphens' })
  .meta({ description: 'Lower-case letters, digits and inner hyphens.', examples: ['web-search'] });

export function isSlug(text: string): boolean {
  return pattern.test(text);
}
