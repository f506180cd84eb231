/** Names that hold secrets by our convention; a URL may carry a password, so it counts as one. */
const secretName = /(^|_)(PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY|CREDENTIALS|URL|DSN)S?$/;

/** Whether a setting of this name is never shown, and may come from a file. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
