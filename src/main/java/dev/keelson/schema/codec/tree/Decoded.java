package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A document as a tree in canonical order.
 *
 * @param root the tree
 * @param problems what was dropped, in document order, in the form of Warning headers: {@code
 *     unknown field "spec.foo"}, {@code duplicate field "spec.replicas"}, and for duplicate keys in
 *     YAML {@code line 4: key "replicas" already set in map}; at most 100, none twice; empty if
 *     they are to be ignored
 */
public record Decoded(MapNode root, List<String> problems) {

  private static final String YAML_PROBLEM = "line ";

  public Decoded {
    problems = List.copyOf(problems);
  }

  /**
   * The problems as the message of a strict decoding error, in the form of Kubernetes' {@code
   * strict decoding error}.
   *
   * @throws IllegalStateException if there are none
   */
  public String strictMessage() {
    if (problems.isEmpty()) {
      throw new IllegalStateException("no problem to tell");
    }
    StringBuilder yaml = new StringBuilder();
    List<String> parts = new ArrayList<>();
    for (String problem : problems) {
      if (problem.startsWith(YAML_PROBLEM)) {
        yaml.append(yaml.isEmpty() ? "yaml: unmarshal errors:" : "").append("\n  ").append(problem);
      } else {
        parts.add(problem);
      }
    }
    if (!yaml.isEmpty()) {
      parts.add(0, yaml.toString());
    }
    return "strict decoding error: " + String.join(", ", parts);
  }
}
