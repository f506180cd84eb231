import type { z } from 'zod';

type Optional<S extends z.ZodType> = z.ZodOptional<z.ZodType<z.output<S>, z.input<S> | null>>;

/** A field that may be left out. `null` is the same as leaving it out, in every body. */
export function optional<S extends z.ZodType>(schema: S): Optional<S> {
  const accepted = schema.nullish().transform((value) => value ?? undefined);
  // Behaves as the type says; the type is what makes the key itself optional (`field?:`) in the inferred object.
  return accepted as unknown as Optional<S>;
}
