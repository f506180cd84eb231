import { z } from 'zod';

const pattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A UUID in lower case: ids have one spelling. */
export const idSchema = z
  .string()
  .regex(pattern, { error: 'must be a lower-case UUID' })
  .meta({ format: 'uuid', examples: ['0199a3b2-7c1d-7e4f-8a5b-6c7d8e9f0a1b'] });
