package dev.keelson.registry.fieldmanager;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Ignores changes of the times in {@code managedFields} in writes that change nothing else (source:
 * Kubernetes' transformer that ignores managed fields' timestamps).
 */
public final class ManagedFieldsTimestamps {

  private static final String ENTRIES = "managedFields";

  private ManagedFieldsTimestamps() {}

  /** The next state with the entries of the current one if they differ in nothing but times. */
  public static ApiObject ignoreTimestamps(ApiObject next, ApiObject current) {
    Node entries = current.meta().node().get(ENTRIES);
    List<Node> before = current.meta().node().items(ENTRIES);
    List<Node> after = next.meta().node().items(ENTRIES);
    if (entries == null
        || before.equals(after)
        || !timeless(before).equals(timeless(after))
        || !StructuredMergeManager.without(next).equals(StructuredMergeManager.without(current))) {
      return next;
    }
    return next.withMeta(next.meta().with(ENTRIES, entries));
  }

  private static List<Node> timeless(List<Node> entries) {
    return entries.stream()
        .<Node>map(entry -> entry instanceof MapNode map ? map.without("time") : entry)
        .toList();
  }
}
