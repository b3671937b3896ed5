/** Traces in OpenTelemetry. The only module that loads `@opentelemetry/api`. */
export { GENAI_CONVENTIONS, type OpenTelemetryOptions, openTelemetry } from './open-telemetry.js';
