package dev.keelson.schema.conversion;

import dev.keelson.object.Node.MapNode;

/**
 * Converts between an old version of a kind and its successor. Both directions convert whole
 * objects, and leave {@code apiVersion} and {@code kind} alone; fields may come out in any order.
 * What one direction cannot express is kept in annotations for the other.
 */
interface VersionConversion {

  /** The old version's object in the new one. */
  MapNode toNew(MapNode old);

  /** The new version's object in the old one. */
  MapNode toOld(MapNode current);
}
