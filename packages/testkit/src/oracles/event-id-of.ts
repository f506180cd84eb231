/** Of a record of the log, as JSON. */
export function eventIdOf(record: string): string {
  return (JSON.parse(record) as { event_id: string }).event_id; // the load sends nothing that is no event
}
