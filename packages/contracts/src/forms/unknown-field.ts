import type { FieldError } from '@tollgate/kernel/app-error';

/** Longer names are not compared: no field is as long, and the comparison takes the product of both lengths. */
const comparedLengthMax = 64;

/** The error of a field or a parameter that is not among `known`, with the known name that it resembles, or all of them. */
export function unknownFieldError(
  name: string,
  { pointer, known }: { pointer: string; known: readonly string[] },
): FieldError {
  const meant = resembling(name, known);
  const advice = meant === undefined ? `known here: ${known.join(', ') || 'none'}` : `did you mean \`${meant}\`?`;
  return { pointer, code: 'unknown_field', message: `is not known here; ${advice}` };
}

/** The known name with the same letters (`toolId` → `tool_id`), else a name at most two edits away. */
function resembling(name: string, known: readonly string[]): string | undefined {
  if (name.length > comparedLengthMax) return undefined;
  const twin = known.find((field) => lettersOf(field) === lettersOf(name));
  return twin ?? known.find((field) => editsBetween(field, name) <= Math.min(2, field.length / 3));
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** Levenshtein's distance, row by row. */
function editsBetween(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [index, letter] of Array.from(left).entries()) {
    const next = [index + 1];
    for (const [at, other] of Array.from(right).entries()) {
      const replaced = (row[at] ?? 0) + Number(letter !== other);
      next.push(Math.min(replaced, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
