package dev.keelson.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.soak.Operation.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The states that each object had, by revision, as one watcher recorded them. In a gap, while the
 * watcher could not resume, states may be missing.
 */
final class WriteHistory {

  /**
   * A state of an object.
   *
   * @param revision since when
   * @param value or null if there is no object
   */
  record State(long revision, @Nullable Value value) {
    @Nullable String uid() {
      return value == null ? null : value.uid();
    }
  }

  private record Gap(long after, long upTo) {}

  private static final State NONE = new State(0, null);

  private final Map<String, NavigableMap<Long, State>> objects = new HashMap<>();
  private final List<Gap> gaps = new ArrayList<>();

  /** Records a change; {@code value} is null for a deletion. */
  void change(long revision, String key, @Nullable Value value) {
    assertThat(states(key).put(revision, new State(revision, value)))
        .as("two changes of %s at %d", key, revision)
        .isNull();
  }

  /** Records that nothing is known between two revisions, and the state at the second. */
  void gap(long after, long upTo, Map<String, State> newest) {
    gaps.add(new Gap(after, upTo));
    for (String key : List.copyOf(objects.keySet())) {
      if (!newest.containsKey(key) && at(key, upTo).value() != null) {
        states(key).put(upTo, new State(upTo, null));
      }
    }
    newest.forEach((key, state) -> states(key).put(state.revision(), state));
  }

  /** Adds a state that a gap hides, and that a client was told. */
  void addHidden(long revision, String key, Value value) {
    states(key).put(revision, new State(revision, value));
  }

  /** All objects with their states in order. */
  Map<String, NavigableMap<Long, State>> objects() {
    return objects;
  }

  /** The states of an object in order. */
  NavigableMap<Long, State> states(String key) {
    return objects.computeIfAbsent(key, ignored -> new TreeMap<>());
  }

  /** The state of an object at a revision, as far as it is known. */
  State at(String key, long revision) {
    Map.Entry<Long, State> entry = states(key).floorEntry(revision);
    return entry == null ? NONE : entry.getValue();
  }

  /** The state before the one that began at a revision. */
  State before(String key, long revision) {
    return at(key, revision - 1);
  }

  /** Whether a change above {@code after} and up to {@code upTo} may be missing. */
  boolean uncertain(long after, long upTo) {
    return gaps.stream().anyMatch(gap -> gap.after < upTo && after < gap.upTo);
  }

  /** The number of gaps. */
  int gaps() {
    return gaps.size();
  }

  /**
   * The first revision from {@code from} on at which the object's state may be as required; -1 if
   * there is none.
   */
  long earliest(String key, long from, Predicate<State> required) {
    long revision = from;
    while (true) {
      if (hidden(revision) || required.test(at(key, revision))) {
        return revision;
      }
      long next = Long.MAX_VALUE;
      Long change = states(key).higherKey(revision);
      if (change != null) {
        next = change;
      }
      for (Gap gap : gaps) {
        if (gap.after >= revision && gap.after + 1 < gap.upTo) {
          next = Math.min(next, gap.after + 1);
        }
      }
      if (next == Long.MAX_VALUE) {
        return -1;
      }
      revision = next;
    }
  }

  private boolean hidden(long revision) {
    return gaps.stream().anyMatch(gap -> gap.after < revision && revision < gap.upTo);
  }

  /** The states of an object around a revision, for error messages. */
  String around(String key, long revision) {
    NavigableMap<Long, State> states = states(key);
    Long first = states.floorKey(revision - 1);
    return states.tailMap(first == null ? 0 : first, true).values().stream()
        .limit(4)
        .toList()
        .toString();
  }
}
