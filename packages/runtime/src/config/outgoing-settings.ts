import { z } from 'zod';

/** Settings of every service that calls addresses which accounts name. */
export const outgoingSettings = {
  WEBHOOK_PROXY_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'An HTTP proxy, such as `http://user:password@proxy.example.com:4750`, through which all calls go to addresses that accounts name: webhooks, and documents of MCP servers and of OAuth clients. It is asked by CONNECT for the IP address that was judged.',
    ),
  OUTGOING_ALLOW: z
    .enum(['loopback'])
    .optional()
    .describe(
      '`loopback`: addresses that accounts name may lead to this machine, by http too. For a sandbox on a machine of one’s own; refused with `PROCESSOR=stripe`. Otherwise only https addresses of the public Internet are called.',
    ),
};

type OutgoingSettings = z.infer<z.ZodObject<typeof outgoingSettings>>;

/** The part of the guard’s options that the settings say. */
export function outgoingOptionsOf({ OUTGOING_ALLOW: allowed, WEBHOOK_PROXY_URL: proxyUrl }: OutgoingSettings) {
  return { allowsLoopback: allowed === 'loopback', proxyUrl };
}
