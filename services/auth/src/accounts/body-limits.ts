/** Far more than any body of this service needs: an e-mail, passwords or a name. */
export const bodyLimits = { maxBytes: 16 * 1_024 };
