/** No body of auth's comes near it: e-mail, password and name are all that it takes. */
export const bodyLimits = { maxBytes: 16 * 1_024 };
