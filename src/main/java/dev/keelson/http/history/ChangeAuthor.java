package dev.keelson.http.history;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Who made a change and when, as managedFields says: the newest entry that the change added or
 * altered. Times have seconds, so that two changes of one manager within one can leave its entry
 * equal: a change that altered none is that of the newest entry.
 *
 * @param manager the field manager; empty if not known
 * @param operation {@code Apply} or {@code Update}; empty if not known
 * @param subresource the subresource that was written; empty for the object itself
 * @param time an RFC 3339 time with seconds; empty if not known
 */
record ChangeAuthor(String manager, String operation, String subresource, String time) {

  static final ChangeAuthor UNKNOWN = new ChangeAuthor("", "", "", "");

  /** An entry is the same one in two states if these are equal. */
  private record Id(String manager, String operation, String subresource, String apiVersion) {
    static Id of(MapNode entry) {
      return new Id(
          entry.text("manager"),
          entry.text("operation"),
          entry.text("subresource"),
          entry.text("apiVersion"));
    }
  }

  /**
   * The author of a change.
   *
   * @param before the metadata before it; null if there was no object, or if it is not kept
   */
  static ChangeAuthor of(@Nullable ObjectMeta before, ObjectMeta after) {
    Map<Id, Node> known = new HashMap<>();
    if (before != null) {
      before.node().maps("managedFields").forEach(entry -> known.put(Id.of(entry), entry));
    }
    ChangeAuthor changed = newest(after, entry -> !entry.equals(known.get(Id.of(entry))));
    return changed.equals(UNKNOWN) ? newest(after, _ -> true) : changed;
  }

  private static ChangeAuthor newest(ObjectMeta meta, Predicate<MapNode> which) {
    ChangeAuthor newest = UNKNOWN;
    for (MapNode entry : meta.node().maps("managedFields")) {
      // texts of one form and zone: their order is that of the times
      if (entry.text("time").compareTo(newest.time) >= 0 && which.test(entry)) {
        newest =
            new ChangeAuthor(
                entry.text("manager"),
                entry.text("operation"),
                entry.text("subresource"),
                entry.text("time"));
      }
    }
    return newest;
  }
}
