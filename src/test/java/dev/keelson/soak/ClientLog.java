package dev.keelson.soak;

import com.google.gson.JsonObject;
import dev.keelson.soak.Operation.Value;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** What the clients of a run have requested and seen. Safe for use by several threads. */
final class ClientLog {

  private final Queue<Observations> seen = new ConcurrentLinkedQueue<>();
  private final Queue<Operation> operations = new ConcurrentLinkedQueue<>();
  private final AtomicLong steps = new AtomicLong();
  private final AtomicLong newestWrite = new AtomicLong();

  /** The newest known resourceVersions, by key. */
  final Map<String, Long> versions = new ConcurrentHashMap<>();

  /** The oldest revision at which an exact list may still be answered. */
  final AtomicLong oldest = new AtomicLong(1);

  final LongAdder away = new LongAdder();
  final LongAdder gone = new LongAdder();

  void add(Observations observation) {
    seen.add(observation);
    steps.incrementAndGet();
  }

  /** Adds an operation that has just ended. */
  void add(Operation.Call call, Operation.Outcome outcome, long begun) {
    operations.add(new Operation(call, outcome, begun, System.nanoTime()));
    steps.incrementAndGet();
    switch (outcome) {
      case Operation.Written written -> {
        versions.put(call.key(), written.revision());
        newestWrite.accumulateAndGet(written.revision(), Math::max);
      }
      case Operation.Found found -> versions.put(call.key(), found.revision());
      case Operation.Deleted ignored -> {}
      case Operation.Listed ignored -> {}
      case Operation.Refused ignored -> {}
      case Operation.Unknown ignored -> {}
    }
  }

  /** The number of operations and observations. */
  long steps() {
    return steps.get();
  }

  /** The revision of the newest answered write. */
  long newestWrite() {
    return newestWrite.get();
  }

  List<Observations> seen() {
    return List.copyOf(seen);
  }

  List<Operation> operations() {
    return List.copyOf(operations);
  }

  /** The content of a ConfigMap of a run. */
  static Value value(JsonObject object) {
    JsonObject data = object.getAsJsonObject("data");
    return new Value(
        object.getAsJsonObject("metadata").get("uid").getAsString(),
        data.get("n").getAsString(),
        data.get("base").getAsString());
  }
}
