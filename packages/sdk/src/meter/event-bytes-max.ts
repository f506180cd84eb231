/** The service refuses larger events. */
export const eventBytesMax = 65_536;
