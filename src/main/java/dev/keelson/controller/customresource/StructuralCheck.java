package dev.keelson.controller.customresource;

import dev.keelson.object.Node.MapNode;
import java.util.Optional;

/** Tells why the schemas of a definition are not structural. */
@FunctionalInterface
public interface StructuralCheck {

  /** Checks a whole definition; empty if its schemas are structural. */
  Optional<Violation> violation(MapNode definition);

  /**
   * Why schemas are not structural.
   *
   * @param certain whether the schemas could be read; the condition is Unknown otherwise
   * @param message of the condition
   */
  record Violation(boolean certain, String message) {}
}
