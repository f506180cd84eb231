/** The sender of all mails. */
export interface Sender {
  readonly name: string;
  readonly address: string;
}

const pattern = /^(?:([^<>"\\\p{Cc}]{1,100}?) *<([^<>]+)>|([^<>]+))$/u;
const address = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)*$/i;

/** Reads `Name <address>` or an address alone. Undefined if it is neither. */
export function readSender(text: string): Sender | undefined {
  const [, name = 'Tollgate', inBrackets, alone] = pattern.exec(text.trim()) ?? [];
  const found = inBrackets ?? alone;
  return found !== undefined && address.test(found) ? { name, address: found } : undefined;
}

/** The domain that answers for the mails. */
export function domainOf({ address: text }: Sender): string {
  return text.slice(text.lastIndexOf('@') + 1);
}
