import { createTheme, type CSSVariablesResolver } from '@mantine/core';
import classes from './theme.module.css';

export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  focusRing: 'auto',
  // Plain objects: `Modal.extend` would load the dialog, with all that it stands on, before the first page.
  components: {
    Input: { classNames: { wrapper: classes.field } },
    Modal: { defaultProps: { centered: true } },
  },
});

/** Mantine's own grey and its words on light grounds have contrasts from 3.3 to 1 on: too little to read. */
export const variablesOf: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--field-border': colors.gray[6],
    '--chart-first': colors.indigo[7],
    '--chart-second': colors.gray[6],
    '--chart-band': colors.gray[3],
    '--chart-limit': '#8f1f1f',
    '--mantine-color-dimmed': colors.gray[7],
    '--mantine-color-placeholder': colors.gray[7],
    '--mantine-color-green-light-color': '#1b5e2b',
    '--mantine-color-orange-light-color': '#8a2d07',
    '--mantine-color-red-light-color': '#8f1f1f',
    '--mantine-color-gray-light-color': colors.gray[8],
    '--mantine-color-indigo-light-hover': colors.indigo[1], // its words are read under the mouse, too
  },
  dark: {
    '--field-border': colors.dark[2],
    '--chart-first': colors.indigo[4],
    '--chart-second': colors.dark[2],
    '--chart-band': colors.dark[4],
    '--chart-limit': colors.red[4],
    '--mantine-color-dimmed': colors.dark[1],
    '--mantine-color-placeholder': colors.dark[1],
  },
});
