import { encodeQR } from 'qr';
import type { ReactNode } from 'react';
import classes from './qr-code.module.css';

/** The light modules around a code, by which readers find it. */
const border = 4;

/** A text as a QR code: black on white also by night, since not every reader takes the reverse. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }): ReactNode {
  const rows = encodeQR(text, 'raw', { ecc: 'medium', border });
  const dark = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      role="img"
      aria-label={label}
      className={classes.code}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path fill="#fff" d={`M0 0h${rows.length}v${rows.length}h-${rows.length}z`} />
      <path fill="#000" d={dark.join('')} />
    </svg>
  );
}
