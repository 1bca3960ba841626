package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.soak.Observations.Event;
import dev.keelson.soak.Observations.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The history recorded by one watcher of all objects, and the checks of other clients' observations
 * against it.
 */
final class RecordedHistory {

  /**
   * A change.
   *
   * @param group the label's value after it, or null for a deletion
   */
  record Change(String key, @Nullable String group) {}

  private record Gap(long after, long upTo) {}

  private record Version(long revision, @Nullable String group) {}

  private final TreeMap<Long, Change> changes = new TreeMap<>();

  /** A gap of the history, in which nothing is checked. */
  private final List<Gap> gaps = new ArrayList<>();

  private final Map<String, TreeMap<Long, Version>> versions = new HashMap<>();

  void change(long revision, Change change) {
    assertThat(changes.put(revision, change)).as("two changes at %d", revision).isNull();
    at(revision, revision, change);
  }

  /** The state after a gap. */
  void gap(long after, long upTo, Map<String, Item> objects) {
    gaps.add(new Gap(after, upTo));
    for (String key : List.copyOf(versions.keySet())) {
      if (!objects.containsKey(key)) {
        at(upTo, upTo, new Change(key, null));
      }
    }
    objects.forEach((key, now) -> at(now.revision, now.revision, new Change(key, now.group)));
  }

  /** An object in a list. */
  record Item(long revision, String group) {}

  private void at(long when, long revision, Change change) {
    versions
        .computeIfAbsent(change.key, key -> new TreeMap<>())
        .put(when, new Version(revision, change.group));
  }

  int size() {
    return changes.size();
  }

  int gaps() {
    return gaps.size();
  }

  /** A write that was answered must be in the history. */
  void checkWrite(long revision, String key) {
    if (unknown(revision - 1, revision)) {
      return;
    }
    assertThat(changes.get(revision))
        .as("the answered write of %s at %d", key, revision)
        .isNotNull();
  }

  void check(Observations seen) {
    switch (seen) {
      case Observations.Listed listed -> proveList(listed);
      case Observations.Got got -> proveGet(got);
      case Observations.Watched watched -> proveWatch(watched);
    }
  }

  private void proveList(Observations.Listed listed) {
    assertThat(listed.revision())
        .as("revision of %s", listed.how())
        .isGreaterThanOrEqualTo(listed.floor());
    if (!unknown(listed.revision(), listed.revision())) {
      assertThat(listed.items())
          .as("%s of %s at %d", listed.how(), listed.scope(), listed.revision())
          .isEqualTo(state(listed.scope(), listed.revision()));
    }
  }

  private void proveGet(Observations.Got got) {
    TreeMap<Long, Version> history = versions.get(got.key());
    if (history == null) {
      assertThat(got.version()).as("get of %s", got.key()).isZero();
      return;
    }
    if (unknown(got.floor(), Math.max(got.floor(), got.version()))) {
      return;
    }
    if (got.version() != 0) {
      Long next = history.higherKey(got.version());
      assertThat(history).as("get of %s", got.key()).containsKey(got.version());
      assertThat(next == null || next > got.floor())
          .as(
              "get of %s saw %d, which %d had replaced, after a write at %d was answered",
              got.key(), got.version(), next, got.floor())
          .isTrue();
      return;
    }
    Map.Entry<Long, Version> then = history.floorEntry(got.floor());
    boolean absentThen = then == null || then.getValue().group == null;
    boolean absentLater =
        history.tailMap(got.floor(), false).values().stream().anyMatch(v -> v.group == null);
    assertThat(absentThen || absentLater)
        .as("get of %s found nothing though it was there from %d on", got.key(), got.floor())
        .isTrue();
  }

  private void proveWatch(Observations.Watched watched) {
    if (unknown(watched.after(), watched.upTo())) {
      return;
    }
    List<Event> expected = new ArrayList<>();
    changes
        .subMap(watched.after(), false, watched.upTo(), true)
        .forEach(
            (revision, change) -> {
              boolean before =
                  matches(watched.scope(), change.key, groupBefore(change.key, revision));
              boolean after = matches(watched.scope(), change.key, change.group);
              if (before || after) {
                String type = !after ? "DELETED" : before ? "MODIFIED" : "ADDED";
                expected.add(new Event(type, change.key, revision));
              }
            });
    assertThat(watched.events())
        .as(
            "%s of %s from %d to %d",
            watched.how(), watched.scope(), watched.after(), watched.upTo())
        .isEqualTo(expected);
  }

  private @Nullable String groupBefore(String key, long revision) {
    Map.Entry<Long, Version> before =
        versions.getOrDefault(key, new TreeMap<>()).lowerEntry(revision);
    return before == null ? null : before.getValue().group;
  }

  private Map<String, Long> state(Scope scope, long revision) {
    Map<String, Long> state = new HashMap<>();
    versions.forEach(
        (key, history) -> {
          Map.Entry<Long, Version> then = history.floorEntry(revision);
          if (then != null && matches(scope, key, then.getValue().group)) {
            state.put(key, then.getValue().revision);
          }
        });
    return state;
  }

  private static boolean matches(Scope scope, String key, @Nullable String group) {
    return group != null
        && (scope.namespace().isEmpty() || key.startsWith(scope.namespace() + "/"))
        && (scope.group().isEmpty() || scope.group().equals(group));
  }

  private boolean unknown(long after, long upTo) {
    return gaps.stream().anyMatch(gap -> gap.after < upTo && after < gap.upTo);
  }
}
