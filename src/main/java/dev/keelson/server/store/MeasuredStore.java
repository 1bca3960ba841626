package dev.keelson.server.store;

import dev.keelson.api.GroupResource;
import dev.keelson.request.Latencies;
import dev.keelson.request.Span;
import dev.keelson.request.Spans;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Measures the duration of each call of a store, failed calls included. */
public final class MeasuredStore extends ForwardingStore {

  /** The name in the spans of a store that is an etcd. */
  public static final String ETCD = "etcd3";

  private static final String ETCD_SERVICE = "etcdserverpb.KV";

  // what kube-apiserver's spans tell of a write; the value that comes here is encoded and encrypted

  private static final List<String> CREATE_PREPARED =
      List.of("About to Encode", "Encode succeeded", "TransformToStorage succeeded");
  private static final List<String> CREATED = List.of("Txn call succeeded", "decode succeeded");
  private static final List<String> UPDATE_PREPARED =
      List.of(
          "initial value restored",
          "About to Encode",
          "Encode succeeded",
          "TransformToStorage succeeded",
          "Transaction prepared");
  private static final List<String> UPDATED =
      List.of("Txn call completed", "Transaction committed", "decode succeeded");

  /** The event of a message that was sent or received. */
  private static final String MESSAGE = "message";

  private final StoredResources resources;
  private final String product;
  private final Listener listener;

  /** Takes the durations. */
  @FunctionalInterface
  public interface Listener {

    /**
     * Reports one call.
     *
     * @param operation get, list, create, update or delete
     * @param failed whether the store did not answer
     */
    void called(String operation, GroupResource resource, boolean failed, Duration took);
  }

  /**
   * Measures every call of {@code store}.
   *
   * @param resources names the resource of a key
   * @param product the last word of the names of spans: {@link #ETCD} or {@code sqlite}
   * @param listener takes each call; called on the caller's thread
   */
  public MeasuredStore(
      RevisionedStore store, StoredResources resources, String product, Listener listener) {
    super(store);
    this.product = product;
    this.resources = resources;
    this.listener = listener;
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    return told("get", key, () -> super.get(key, atRevision));
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    return told("list", range.start(), () -> super.range(range, atRevision, limit));
  }

  @Override
  public WriteOutcome write(Write write) {
    return told(operation(write), write.key(), () -> super.write(write));
  }

  private <T> T told(String operation, Bytes key, Supplier<T> call) {
    long begin = System.nanoTime();
    boolean answered = false;
    try (Spans.Open traced = traced(operation, key)) {
      T answer;
      try (Spans.Open rpc = rpc(operation)) {
        answer = call.get();
        answered = true;
        if (rpc != null) {
          Spans.Open unused = rpc.event(MESSAGE);
        }
      }
      if (traced != null && answer instanceof WriteOutcome.Applied) {
        tell(traced, operation, CREATED, UPDATED);
      }
      return answer;
    } finally {
      long nanos = System.nanoTime() - begin;
      Latencies.addToCurrent(Latencies.Layer.STORE, nanos);
      listener.called(operation, resources.of(key), !answered, Duration.ofNanos(nanos));
    }
  }

  /** The span of a call, with the names of kube-apiserver's; null without tracing. */
  private Spans.@Nullable Open traced(String operation, Bytes key) {
    Spans.Open span =
        Spans.open(
            switch (operation) {
                  case "get" -> "Get ";
                  case "list" -> "List(recursive=true) ";
                  case "create" -> "Create ";
                  case "update" -> "GuaranteedUpdate ";
                  default -> "Delete ";
                }
                + product);
    if (span == null) {
      return null;
    }
    Spans.Open told =
        span.with("key", resources.shown(key)).with("resource", resources.of(key).toString());
    boolean writes = operation.equals("create") || operation.equals("update");
    if (!writes) {
      return told;
    }
    tell(told, operation, CREATE_PREPARED, UPDATE_PREPARED);
    return told.with("type", resources.type(key));
  }

  private static void tell(
      Spans.Open span, String operation, List<String> ofCreate, List<String> ofUpdate) {
    List<String> events =
        switch (operation) {
          case "create" -> ofCreate;
          case "update" -> ofUpdate;
          default -> List.of();
        };
    for (String event : events) {
      Spans.Open unused = span.event(event);
    }
  }

  /**
   * A read of the newest revision by a GET or a list that the watch cache answers is a call, too.
   */
  @Override
  public long revision() {
    try (Spans.Open rpc = rpc("get")) {
      long revision = super.revision();
      if (rpc != null) {
        Spans.Open unused = rpc.event(MESSAGE);
      }
      return revision;
    }
  }

  /**
   * The span of etcd's answer, as OpenTelemetry's conventions for gRPC have it; several pages of a
   * list are one. Null without tracing or etcd.
   */
  private Spans.@Nullable Open rpc(String operation) {
    if (!product.equals(ETCD)) {
      return null;
    }
    String method = operation.equals("get") || operation.equals("list") ? "Range" : "Txn";
    Spans.Open span = Spans.open(ETCD_SERVICE + "/" + method, Span.Kind.CLIENT);
    return span == null
        ? null
        : span.with("rpc.system", "grpc")
            .with("rpc.service", ETCD_SERVICE)
            .with("rpc.method", method)
            .event(MESSAGE);
  }

  private static String operation(Write write) {
    return switch (write) {
      case Write.Put put when put.expectedRevision() == Write.ABSENT -> "create";
      case Write.Put _ -> "update";
      case Write.Delete _ -> "delete";
    };
  }
}
