import type { ReactNode } from 'react';
import classes from './figures.module.css';
import { formatQuantity, formatUsd } from './format-usd.ts';

/** An amount of the API. */
export function Money({ usd }: { readonly usd: number | string | null | undefined }): ReactNode {
  return <span className={classes.figure}>{usd == null ? '–' : formatUsd(usd)}</span>;
}

/** A count or a decimal quantity of the API. */
export function Quantity({ of }: { readonly of: number | string }): ReactNode {
  return <span className={classes.figure}>{formatQuantity(of)}</span>;
}
