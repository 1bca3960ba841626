package dev.keelson.schema.conversion;

import dev.keelson.object.Node.MapNode;

/**
 * ReplicaSets of extensions/v1beta1 and apps/v1: the same fields, but the old version may leave out
 * its selector, and does not write it when it is not set.
 */
enum ReplicaSetConversion implements VersionConversion {
  INSTANCE;

  @Override
  public MapNode toNew(MapNode old) {
    return Edits.withSelector(old);
  }

  @Override
  public MapNode toOld(MapNode current) {
    return current;
  }
}
