package dev.keelson.schema.defaulting;

import dev.keelson.object.Node.MapNode;

/**
 * The defaults of one struct that depend on its other fields. Run before the schema's own defaults
 * of that struct and of the structs inside it.
 */
@FunctionalInterface
interface StructRule {

  /** The struct with its defaults; the same instance if nothing is missing. */
  MapNode complete(MapNode struct);

  /** This rule, then {@code next}. */
  default StructRule then(StructRule next) {
    return struct -> next.complete(complete(struct));
  }
}
