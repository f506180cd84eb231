import { Children, type ReactNode } from 'react';
import classes from './timeline.module.css';

interface Lined {
  readonly label: string;
  readonly children: ReactNode;
}

/** Things that follow each other, on a line. */
export function Timeline({ label, children }: Lined): ReactNode {
  return (
    <ol className={classes.timeline} aria-label={label}>
      {Children.map(children, (child) => (
        <li>{child}</li>
      ))}
    </ol>
  );
}
