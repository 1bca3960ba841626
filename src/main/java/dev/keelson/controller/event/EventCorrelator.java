package dev.keelson.controller.event;

import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides what becomes of an Event: a new object, one more count of an earlier one, or nothing
 * (source: client-go's {@code tools/record/events_cache.go}). Confined to one thread.
 *
 * <p>Events that differ in their message alone are similar: from the tenth of them on within ten
 * minutes they are one Event. An object may have 25 Events of a component at once and one more
 * every five minutes.
 */
final class EventCorrelator {

  private static final int MOST_SIMILAR = 10;
  private static final Duration SIMILAR = Duration.ofMinutes(10);
  private static final int BURST = 25;
  private static final Duration REFILL = Duration.ofMinutes(5);
  private static final int MOST_KEPT = 4096;
  private static final String COMBINED = "(combined from similar events): ";

  private final LongSupplier nanos;
  private final Map<Object, Bucket> buckets = new Recent<>();
  private final Map<Object, Group> groups = new Recent<>();
  private final Map<Object, Stored> stored = new Recent<>();

  /**
   * An Event as it is known.
   *
   * @param host of the component; empty if it has no other by its name
   */
  record Draft(
      String component,
      String host,
      ObjectReference about,
      String type,
      String reason,
      String text) {

    /** The same about any version of the object; what is kept of the Event shares it. */
    private Draft ofAnyVersion() {
      return new Draft(component, host, about.anyVersion(), type, reason, text);
    }

    private Draft source() {
      return new Draft(component, host, about, "", "", "");
    }

    private Draft similar() {
      return new Draft(component, host, about, type, reason, "");
    }

    private Draft combined() {
      return new Draft(component, host, about, type, reason, COMBINED + text);
    }
  }

  /** An Event object that was stored. */
  static final class Stored {
    final String name;

    /** With those that were not stored. */
    int count = 1;

    Stored(String name) {
      this.name = name;
    }
  }

  /**
   * What to do.
   *
   * @param draft with its final message
   * @param key under which the Event is remembered when it was stored
   * @param earlier the Event to count up; null if a new one is to be created
   */
  record Correlated(Draft draft, Object key, @Nullable Stored earlier) {}

  private static final class Bucket {
    double tokens = BURST;
    long at;
  }

  private static final class Group {
    /** Mostly one. */
    final Set<String> texts = new HashSet<>(2);

    long last;
  }

  /** The entries that were used last. */
  private static final class Recent<V> extends LinkedHashMap<Object, V> {
    private static final long serialVersionUID = 1L;

    Recent() {
      super(16, 0.75f, /* accessOrder= */ true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<Object, V> eldest) {
      return size() > MOST_KEPT;
    }
  }

  EventCorrelator(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Returns what to do with an Event; null to drop it. */
  @Nullable Correlated correlate(Draft event) {
    long now = nanos.getAsLong();
    Draft kept = event.ofAnyVersion();
    Group group = groups.computeIfAbsent(kept.similar(), _ -> new Group());
    if (!group.texts.isEmpty() && now - group.last > SIMILAR.toNanos()) {
      group.texts.clear();
    }
    group.last = now;
    group.texts.add(event.text());
    boolean many = group.texts.size() >= MOST_SIMILAR;
    if (many) {
      // keeps the number and forgets one, so that the set does not grow
      group.texts.remove(group.texts.iterator().next());
    }
    Draft shown = many ? event.combined() : event;
    Object key = many ? kept.similar() : kept;
    Stored earlier = stored.get(key);
    if (earlier != null) {
      earlier.count++;
    }
    return takeToken(kept.source(), now) ? new Correlated(shown, key, earlier) : null;
  }

  /** Remembers a new Event. */
  void created(Correlated event, Stored object) {
    stored.put(event.key(), object);
  }

  /** Forgets an Event that does not exist any more. */
  void gone(Correlated event) {
    stored.remove(event.key());
  }

  private boolean takeToken(Object source, long now) {
    Bucket bucket = buckets.computeIfAbsent(source, _ -> new Bucket());
    if (bucket.tokens < BURST) {
      double refilled = (double) (now - bucket.at) / REFILL.toNanos();
      bucket.tokens = Math.min(BURST, bucket.tokens + refilled);
    }
    bucket.at = now;
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens--;
    return true;
  }
}
