package dev.keelson.request;

import dev.keelson.request.Span.Kind;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * The spans of the request that a thread works for, which nest as its calls do. Without tracing
 * every method is a look at a field.
 */
public final class Spans {

  private Spans() {}

  /** A span that is the current one of its request until it is closed. */
  public static final class Open implements AutoCloseable {
    private final Latencies owner;
    private final @Nullable Span outer;
    private final Span span;

    private Open(Latencies owner, @Nullable Span outer, Span span) {
      this.owner = owner;
      this.outer = outer;
      this.span = span;
    }

    /** Sets an attribute. */
    public Open with(String attribute, String value) {
      Span unused = span.with(attribute, value);
      return this;
    }

    /** Sets a numeric attribute. */
    public Open with(String attribute, long value) {
      Span unused = span.with(attribute, value);
      return this;
    }

    /** Records that something has happened within the operation now. */
    public Open event(String event) {
      Span unused = span.event(event);
      return this;
    }

    /** Marks the operation as failed. */
    public void failed(String why) {
      span.failed(why);
    }

    /** Ends the span; the one around it is current again. */
    @Override
    public void close() {
      span.end();
      owner.trace(outer);
    }
  }

  /** The current span of the request that this thread works for; null if it is not traced. */
  public static @Nullable Span current() {
    Latencies request = Latencies.ofThread();
    return request == null ? null : request.span();
  }

  /** Records an event of the current operation, if the request is traced. */
  public static void event(String event) {
    Span current = current();
    if (current != null) {
      Span unused = current.event(event);
    }
  }

  /** Begins an operation of this process; null as below. */
  public static @Nullable Open open(String name) {
    return open(name, Kind.INTERNAL);
  }

  /**
   * Begins an operation below the current span. Null if the request is not traced or not sampled,
   * so that nobody computes attributes that are not kept; the context of the current span is passed
   * on to other processes all the same.
   */
  public static @Nullable Open open(String name, Kind kind) {
    Latencies request = Latencies.ofThread();
    Span outer = request == null ? null : request.span();
    if (request == null || outer == null || !outer.isRecording()) {
      return null;
    }
    Span inner = outer.child(name, kind);
    request.trace(inner);
    return new Open(request, outer, inner);
  }

  /**
   * Returns an operation whose spans, on another thread, are below the current one of this thread.
   * Its time is not added to that of the request's layers. Without tracing the operation itself.
   */
  public static <T extends @Nullable Object> Callable<T> carried(Callable<T> operation) {
    Span outer = current();
    if (outer == null) {
      return operation;
    }
    Latencies apart = new Latencies();
    apart.trace(outer);
    return () -> apart.during(operation::call);
  }
}
