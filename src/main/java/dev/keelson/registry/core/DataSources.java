package dev.keelson.registry.core;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/**
 * The two fields for the source of a claim's volume: the older one accepts claims and snapshots
 * only, and each is set from the other (KEP-1495). A source in another namespace needs a feature
 * that is off, so it is dropped (KEP-3294).
 */
final class DataSources {

  private static final String SOURCE = "dataSource";
  private static final String REFERENCE = "dataSourceRef";

  private DataSources() {}

  /** {@code claim} as it is stored; {@code old} is its spec before, empty for a new one. */
  static ApiObject settled(ApiObject claim, MapNode old) {
    MapNode spec = claim.root().map("spec");
    if (crossesNamespaces(spec) && !old.has(REFERENCE)) {
      spec = spec.without(REFERENCE);
    }
    // where the newer field is set as well, the older one is not dropped
    boolean said = old.has(SOURCE) || old.has(REFERENCE) || spec.has(REFERENCE);
    if (!said && spec.has(SOURCE) && !isKnown(spec.map(SOURCE))) {
      spec = spec.without(SOURCE);
    }
    Node source = spec.get(SOURCE);
    if (source != null && !spec.has(REFERENCE)) {
      spec = spec.with(REFERENCE, source);
    } else if (source == null && spec.has(REFERENCE) && !crossesNamespaces(spec)) {
      spec = spec.with(SOURCE, spec.map(REFERENCE).without("namespace"));
    }
    return claim.root().has("spec") ? claim.with("spec", spec) : claim;
  }

  private static boolean crossesNamespaces(MapNode spec) {
    return !spec.map(REFERENCE).text("namespace").isEmpty();
  }

  private static boolean isKnown(MapNode source) {
    String group = source.text("apiGroup");
    String kind = source.text("kind");
    return (group.isEmpty() && kind.equals("PersistentVolumeClaim"))
        || (group.equals("snapshot.storage.k8s.io") && kind.equals("VolumeSnapshot"));
  }
}
