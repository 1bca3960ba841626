package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import java.util.List;

/**
 * A document that no schema describes.
 *
 * @param root the value, with the last value of a duplicate key
 * @param problems the duplicate keys, in document order, each as {@code duplicate field
 *     "spec.replicas"} or, in YAML, {@code line 4: key "replicas" already set in map}; at most 100,
 *     none twice
 */
public record Untyped(Node root, List<String> problems) {
  public Untyped {
    problems = List.copyOf(problems);
  }
}
