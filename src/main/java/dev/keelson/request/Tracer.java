package dev.keelson.request;

import java.util.List;
import java.util.Map;

/** Begins traces, or continues those of clients. Safe for use by any thread. */
public interface Tracer {

  /**
   * A request as its first span sees it.
   *
   * @param name the name of the span
   * @param auditId the attribute {@code audit-id} of it and of all below it
   * @param begin when it began, by {@link System#nanoTime}
   * @param headers every value by lower-case name
   * @param trusted whether the trace of the client is continued, and its sampling followed; a trace
   *     of others is only linked
   */
  record Incoming(
      String name,
      String auditId,
      long begin,
      Map<String, List<String>> headers,
      boolean trusted) {}

  /** Begins the span of a request. */
  Span request(Incoming incoming);
}
