/** An event as it was sent. What is no JSON the service refuses, too; it stays as text. */
export function parseSent(event: string): Readonly<Record<string, unknown>> | string {
  try {
    return JSON.parse(event) as Readonly<Record<string, unknown>>; // the items that we write are objects
  } catch {
    return event;
  }
}
