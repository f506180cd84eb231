/** `config.ts` refuses to start without the settings of the processor that is set. */
export function requireSetting(setting: string | undefined): string {
  if (setting === undefined) throw new Error('a setting of this processor is missing');
  return setting;
}
