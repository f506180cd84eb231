/** Opens Node's inspector on a free port of this machine. */
export const inspectorFlag = '--inspect=127.0.0.1:0';

/** Finds the address that a process of that flag has printed. */
export function inspectorUrlIn(output: string): string {
  const [, url] = /Debugger listening on (ws:\S+)/.exec(output) ?? [];
  if (url === undefined) throw new Error(`no inspector in this output:\n${output.slice(0, 2_000)}`);
  return url;
}
