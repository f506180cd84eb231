import { pointerOf } from '@tollgate/contracts/forms/field-errors';
import { measureOf } from '@tollgate/contracts/events/measure';
import type { Metadata } from '@tollgate/contracts/forms/metadata';
import type { FieldError } from '@tollgate/kernel/app-error';

/** Each of the summed keys that is present must be a number within bounds. An absent key adds 0. */
export function measureProblems(metadata: Metadata | undefined, measures: readonly string[]): readonly FieldError[] {
  if (metadata === undefined) return [];
  return measures
    .filter((key) => Object.hasOwn(metadata, key) && measureOf(metadata[key]) === undefined)
    .map((key) => ({
      pointer: pointerOf(['metadata', key]),
      code: 'invalid_measure',
      message: 'is summed by the price of the tool: it must be a number from 0 to below 10¹² with at most 6 decimals',
    }));
}
