/** The event id in a record of the log. */
export function eventIdOf(record: string): string {
  return (JSON.parse(record) as { event_id: string }).event_id; // the load sends only events
}
