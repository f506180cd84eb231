import { z } from 'zod';

/** Says which values a setting takes, if its schema is a number or an enumeration; undefined for other schemas. */
export function describeAllowed(schema: z.core.$ZodType | undefined): string | undefined {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional) return describeAllowed(schema.unwrap());
  if (schema instanceof z.ZodEnum) return `must be ${schema.options.join(' or ')}`;
  if (!(schema instanceof z.ZodNumber)) return undefined;
  const { minValue, maxValue } = schema;
  return `must be a ${schema.format === null ? '' : 'whole '}number from ${minValue} to ${maxValue}`;
}
