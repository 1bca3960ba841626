package dev.keelson.schema.openapi.custom;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Map;
import java.util.TreeMap;

/**
 * The schemas of the fields that every object has.
 *
 * @param apiVersion of {@code apiVersion}
 * @param kind of {@code kind}
 * @param metadata of {@code metadata}
 */
public record ObjectFields(MapNode apiVersion, MapNode kind, MapNode metadata) {

  /** The properties of an object with these fields, in the order of their names. */
  public MapNode in(MapNode properties) {
    Map<String, Node> all = new TreeMap<>();
    properties.forEach(all::put);
    all.put("apiVersion", apiVersion);
    all.put("kind", kind);
    all.put("metadata", metadata);
    return MapNode.copyOf(all);
  }
}
