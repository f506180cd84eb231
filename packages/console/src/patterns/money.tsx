import type { ReactNode } from 'react';
import classes from './figures.module.css';
import { formatQuantity, formatUsd } from './format-usd.ts';

/** An amount of the API. */
export function Money({ usd }: { readonly usd: number | string | null | undefined }): ReactNode {
  return <span className={classes.figure}>{usd == null ? '–' : formatUsd(usd)}</span>;
}

interface Counted {
  readonly of: number | string;
  readonly unit?: string;
}

/** A count or a decimal quantity of the API. */
export function Quantity({ of, unit }: Counted): ReactNode {
  const figure = <span className={classes.figure}>{formatQuantity(of)}</span>;
  return unit === undefined ? (
    figure
  ) : (
    <>
      {figure} {unit === 'calls' && String(of) === '1' ? 'call' : unit}
    </>
  );
}
