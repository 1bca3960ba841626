/**
 * Tracing: reads a TracingConfiguration and sends the spans of requests to a collector by OTLP. The
 * only package that knows OpenTelemetry; without {@code --tracing-config-file} none of its classes
 * is loaded. Begin with {@link dev.keelson.server.tracing.Tracing}.
 */
@NullMarked
package dev.keelson.server.tracing;

import org.jspecify.annotations.NullMarked;
