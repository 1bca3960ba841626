package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import java.util.List;

/**
 * A document that no schema describes.
 *
 * @param root the value, with the last of the values of a key that stands twice
 * @param problems the keys that stand twice, in document order, each as {@code duplicate field
 *     "spec.replicas"} or, in YAML, {@code line 4: key "replicas" already set in map}; at most 100,
 *     none twice
 */
public record Untyped(Node root, List<String> problems) {
  public Untyped {
    problems = List.copyOf(problems);
  }
}
