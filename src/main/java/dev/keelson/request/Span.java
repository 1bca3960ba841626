package dev.keelson.request;

import java.util.function.BiConsumer;

/**
 * A span of a trace: an operation with a name, a duration and attributes, below the operation that
 * needed it (source: OpenTelemetry's tracing API). A span that is not sampled takes everything and
 * keeps nothing, but its context is passed on. Safe for use by any thread.
 */
public interface Span {

  /** Whose work a span is. */
  enum Kind {
    /** An operation of this process. */
    INTERNAL,
    /** A request to another process. */
    CLIENT
  }

  /** Whether it is sampled, so that attributes and operations below it are kept. */
  boolean isRecording();

  /** Begins an operation below this one. */
  Span child(String name, Kind kind);

  /**
   * Begins an operation of this process below this one that has been under way.
   *
   * @param nanos how long, in nanoseconds
   */
  Span begun(String name, long nanos);

  /**
   * Records that something has happened within this operation now.
   *
   * @param event for example {@code About to write a response}
   */
  Span event(String event);

  /** Sets an attribute, for example {@code audit-id}. */
  Span with(String attribute, String value);

  /** Sets a numeric attribute, for example {@code http.response.status_code}. */
  Span with(String attribute, long value);

  /**
   * Marks the operation as failed.
   *
   * @param why the description of the error; may be empty
   */
  void failed(String why);

  /** Ends the operation; called once, or again without effect. */
  void end();

  /**
   * Gives the headers that make another process's spans part of this trace: {@code traceparent},
   * and {@code tracestate} and {@code baggage} if they are not empty (source: W3C Trace Context).
   */
  void propagate(BiConsumer<String, String> headers);
}
