/** How clients spell a resource: the library compares the texts of a client's own requests with each other, and with these. */
export function spellingsOf(resource: string): readonly string[] {
  const { href } = new URL(resource);
  return href === resource ? [resource] : [resource, href];
}
