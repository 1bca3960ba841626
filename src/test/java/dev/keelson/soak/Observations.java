package dev.keelson.soak;

import java.util.List;
import java.util.Map;

/** The observations of clients, checked against the recorded history after the run. */
sealed interface Observations {

  /**
   * The scope of a client's requests.
   *
   * @param namespace or empty for all
   * @param group the value of the label {@code group}, or empty for all
   */
  record Scope(String namespace, String group) {}

  /**
   * A list.
   *
   * @param floor the revision of the newest write that had been answered when the list was asked
   *     for; 0 if the list may be older
   * @param revision its resourceVersion
   * @param items resourceVersions by key
   */
  record Listed(String how, Scope scope, long floor, long revision, Map<String, Long> items)
      implements Observations {}

  /**
   * A get of the newest state.
   *
   * @param version the object's resourceVersion, or 0 if there was none
   */
  record Got(String key, long floor, long version) implements Observations {}

  /** An event of a watch. */
  record Event(String type, String key, long revision) {}

  /**
   * A watch with all the times it was taken up again.
   *
   * @param after the revision that it began after
   * @param upTo the revision up to which it has told everything
   */
  record Watched(String how, Scope scope, long after, long upTo, List<Event> events)
      implements Observations {
    public Watched {
      events = List.copyOf(events);
    }
  }
}
