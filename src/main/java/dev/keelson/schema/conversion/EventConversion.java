package dev.keelson.schema.conversion;

import dev.keelson.object.Node.MapNode;

/** Events of the core group and of events.k8s.io: the same fields under other names. */
enum EventConversion implements VersionConversion {
  INSTANCE;

  /** Names in the core group and in events.k8s.io, in turn. */
  private static final String[] NAMES = {
    "involvedObject", "regarding",
    "message", "note",
    "source", "deprecatedSource",
    "firstTimestamp", "deprecatedFirstTimestamp",
    "lastTimestamp", "deprecatedLastTimestamp",
    "count", "deprecatedCount",
    "reportingComponent", "reportingController"
  };

  @Override
  public MapNode toNew(MapNode old) {
    MapNode root = old;
    for (int i = 0; i < NAMES.length; i += 2) {
      root = Edits.renamed(root, NAMES[i], NAMES[i + 1]);
    }
    return root;
  }

  @Override
  public MapNode toOld(MapNode current) {
    MapNode root = current;
    for (int i = 0; i < NAMES.length; i += 2) {
      root = Edits.renamed(root, NAMES[i + 1], NAMES[i]);
    }
    return root;
  }
}
