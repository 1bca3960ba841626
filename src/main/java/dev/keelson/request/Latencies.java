package dev.keelson.request;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.ObjLongConsumer;

/**
 * How long the layers of the server worked for one request, which the audit shows for slow ones
 * (source: apiserver, endpoints/request/webhook_duration.go). A layer that does not know the
 * request adds to that of its thread; one that works in threads of its own adds what its caller
 * waited. Safe for use by any thread.
 */
public final class Latencies {

  /** A layer whose time is told apart. */
  public enum Layer {
    AUTHENTICATION("authentication"),
    AUTHORIZATION("authorization"),
    MUTATING_WEBHOOK("mutating-webhook"),
    VALIDATING_WEBHOOK("validating-webhook"),
    STORE("etcd"),
    /** Making the form that the client asks for, for example a row of a table. */
    TRANSFORM("transform-response-object"),
    /** Encoding the response; of one that is made while it is sent, with its sending. */
    SERIALIZE("serialize-response-object"),
    RESPONSE_WRITE("response-write");

    private final String word;

    Layer(String word) {
      this.word = word;
    }

    /** The name in Kubernetes' annotations, for example {@code mutating-webhook}. */
    public String word() {
      return word;
    }
  }

  private static final ScopedValue<Latencies> CURRENT = ScopedValue.newInstance();

  /** Guarded by itself. */
  private final Map<Layer, Long> nanos = new EnumMap<>(Layer.class);

  /** Adds to the request that this thread works for, if it is one whose latencies are kept. */
  public static void addToCurrent(Layer layer, long nanos) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(layer, nanos);
    }
  }

  /** The begin of a measurement for {@link #end}: 0 on a thread whose request is not measured. */
  public static long begin() {
    return CURRENT.isBound() ? System.nanoTime() | 1 : 0;
  }

  /** Adds what has passed since a begin to the request that this thread works for. */
  public static void end(Layer layer, long begin) {
    if (begin != 0) {
      addToCurrent(layer, System.nanoTime() - begin);
    }
  }

  /** Adds to the time of a layer. */
  public void add(Layer layer, long duration) {
    synchronized (nanos) {
      nanos.merge(layer, duration, Long::sum);
    }
  }

  /** Runs {@code operation} for this request. */
  public <T, X extends Throwable> T during(ScopedValue.CallableOp<T, X> operation) throws X {
    return ScopedValue.where(CURRENT, this).call(operation);
  }

  /** Gives each layer that took time, with its nanoseconds. */
  public void forEach(ObjLongConsumer<Layer> consumer) {
    synchronized (nanos) {
      nanos.forEach(consumer::accept);
    }
  }
}
