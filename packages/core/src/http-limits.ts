/**
 * Time limits of every HTTP server here, in milliseconds. Node looks for connections that are late only every 30 s by
 * default: silent ones would occupy a connection for that long, regardless of the limits.
 */
export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 1000,
} as const;
