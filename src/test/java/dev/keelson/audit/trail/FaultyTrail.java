package dev.keelson.audit.trail;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A trail in memory that fails as a test says. */
final class FaultyTrail implements TrailStore {

  /** A failure of a call. */
  enum Fault {
    NONE,
    /** Nothing is stored. */
    UNAVAILABLE,
    /** The events are stored, and the answer is lost. */
    ANSWER_LOST
  }

  private final Map<String, TrailEvent> events = new LinkedHashMap<>();
  private final Set<String> poison = ConcurrentHashMap.newKeySet();
  private Fault fault = Fault.NONE;
  private int calls;
  private @Nullable Instant removedBefore;

  /** Every call fails so from now on. */
  synchronized void failing(Fault how) {
    fault = how;
    notifyAll();
  }

  /** An event with this audit id is rejected. */
  void rejecting(String auditId) {
    poison.add(auditId);
  }

  /** Waits until events were offered so many times. */
  synchronized void awaitCalls(int count) throws InterruptedException {
    while (calls < count) {
      wait();
    }
  }

  synchronized void awaitEvents(int count) throws InterruptedException {
    while (events.size() < count) {
      wait();
    }
  }

  synchronized List<String> auditIds() {
    return events.values().stream().map(event -> event.get(TrailField.AUDIT_ID)).toList();
  }

  synchronized Optional<Instant> removedBefore() {
    return Optional.ofNullable(removedBefore);
  }

  @Override
  public synchronized void append(List<TrailEvent> batch) throws TrailException {
    calls++;
    notifyAll();
    if (fault == Fault.UNAVAILABLE) {
      throw new TrailException.Unavailable("the test says so", null);
    }
    for (TrailEvent event : batch) {
      if (poison.contains(event.get(TrailField.AUDIT_ID))) {
        throw new TrailException.Rejected("the test says so", null);
      }
    }
    batch.forEach(event -> events.putIfAbsent(event.id(), event));
    notifyAll();
    if (fault == Fault.ANSWER_LOST) {
      throw new TrailException.Unavailable("the answer is lost", null);
    }
  }

  @Override
  public List<Entry> search(TrailQuery query, String before, int limit) {
    return new ArrayList<>();
  }

  @Override
  public Optional<Entry> find(String id) {
    return Optional.empty();
  }

  @Override
  public Tail tail(TrailQuery query, long after, int limit) {
    return new Tail(List.of(), after);
  }

  @Override
  public Bounds bounds() {
    return new Bounds(0, 0);
  }

  @Override
  public synchronized void removeBefore(Instant time) throws TrailException {
    if (fault == Fault.UNAVAILABLE) {
      throw new TrailException.Unavailable("the test says so", null);
    }
    removedBefore = time;
  }

  @Override
  public void close() {
    // nothing is open
  }
}
