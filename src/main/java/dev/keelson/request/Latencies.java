package dev.keelson.request;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * How long the layers of the server worked for one request, which the log and the audit show for
 * slow ones (source: apiserver, endpoints/request/webhook_duration.go). A layer that does not know
 * the request adds to that of its thread; one that works in threads of its own adds what its caller
 * waited. Safe for use by any thread.
 */
public final class Latencies {

  /** A layer whose time is told apart. */
  public enum Layer {
    AUTHENTICATION("authentication", 0),
    AUTHORIZATION("authorization", 1),
    MUTATING_WEBHOOK("mutating-webhook", 2),
    VALIDATING_WEBHOOK("validating-webhook", 3),
    STORE("etcd", 4),
    /** Making the form that the client asks for, for example a row of a table. */
    TRANSFORM("transform-response-object", 5),
    /** Encoding the response; of one that is made while it is sent, with its sending. */
    SERIALIZE("serialize-response-object", 6),
    RESPONSE_WRITE("response-write", 7),
    /** Waiting for seats of priority and fairness. */
    QUEUE_WAIT("apf-queue-wait", 8),
    IMPERSONATION("impersonation", 9);

    private final String word;
    private final int slot;

    Layer(String word, int slot) {
      this.word = word;
      this.slot = slot;
    }

    /** The name in Kubernetes' annotations, for example {@code mutating-webhook}. */
    public String word() {
      return word;
    }
  }

  private static final ScopedValue<Latencies> CURRENT = ScopedValue.newInstance();

  private static final Layer[] LAYERS = Layer.values();

  /** By the slot of the layer. */
  private final AtomicLongArray nanos = new AtomicLongArray(LAYERS.length);

  /** The operation that the request's thread is in; null if the request is not traced. */
  private volatile @Nullable Span span;

  /** By {@link System#nanoTime}; 0 before the filter chain. */
  private volatile long begun;

  /** Those of the request that this thread works for; null if there is none. */
  static @Nullable Latencies ofThread() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Adds to the request that this thread works for, if there is one. */
  public static void addToCurrent(Layer layer, long nanos) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(layer, nanos);
    }
  }

  /** The begin of a measurement for {@link #end}: 0 on a thread that works for no request. */
  public static long begin() {
    return CURRENT.isBound() ? System.nanoTime() | 1 : 0;
  }

  /** Adds what has passed since a begin to the request that this thread works for. */
  public static void end(Layer layer, long begin) {
    if (begin != 0) {
      addToCurrent(layer, System.nanoTime() - begin);
    }
  }

  /**
   * Adds the encoding of a response to the request that this thread works for.
   *
   * @return the span of the encoding, which the caller ends; null if the request is not traced
   */
  public static @Nullable Span serialized(long begin) {
    if (begin == 0) {
      return null;
    }
    long took = System.nanoTime() - begin;
    Latencies request = CURRENT.get();
    request.add(Layer.SERIALIZE, took);
    Span traced = request.span;
    return traced == null ? null : traced.begun("SerializeObject", took);
  }

  /** Adds to the time of a layer. */
  public void add(Layer layer, long duration) {
    nanos.addAndGet(layer.slot, duration);
  }

  /** Runs {@code operation} for this request. */
  public <T, X extends Throwable> T during(ScopedValue.CallableOp<T, X> operation) throws X {
    if (CURRENT.isBound() && CURRENT.get() == this) {
      return operation.call();
    }
    return ScopedValue.where(CURRENT, this).call(operation);
  }

  /**
   * Records when the request began.
   *
   * @param time by {@link System#nanoTime}
   */
  public void begin(long time) {
    begun = time;
  }

  /** When the request began, by {@link System#nanoTime}. */
  public long begun() {
    return begun;
  }

  /** The operation that the request is in; null if it is not traced. */
  public @Nullable Span span() {
    return span;
  }

  /** Sets the operation that the request is in; null after the last one. */
  public void trace(@Nullable Span operation) {
    span = operation;
  }

  /** The nanoseconds of a layer; 0 if it did nothing for the request. */
  public long nanos(Layer layer) {
    return nanos.get(layer.slot);
  }

  /** Gives each layer that took time, with its nanoseconds. */
  public void forEach(ObjLongConsumer<Layer> consumer) {
    for (Layer layer : LAYERS) {
      long time = nanos.get(layer.slot);
      if (time > 0) {
        consumer.accept(layer, time);
      }
    }
  }
}
