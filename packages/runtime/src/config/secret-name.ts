/** Names of secrets by our convention. A URL counts as one, since it may have a password. */
const secretName = /(^|_)(PASSWORD|PASSPHRASE|SECRET|TOKEN|KEY|CREDENTIALS|URL|DSN)S?$/;

/** Whether a setting of this name is a secret: it is never shown, and may come from a file. */
export function isSecretName(name: string): boolean {
  return secretName.test(name);
}
