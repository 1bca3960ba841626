package dev.keelson.schema.structural.validation;

import dev.keelson.object.NestedField;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/**
 * The values that the scale subresource reads: numbers of replicas and the selector (source: {@code
 * ValidateScaleSpec} and {@code ValidateScaleStatus} of apiextensions-apiserver).
 */
final class ScaleValues {

  private ScaleValues() {}

  /** Reports a wrong number of desired replicas. */
  static void checkSpec(MapNode object, MapNode scale, Findings findings) {
    if (!scale.isEmpty()) {
      replicas(object, scale.text("specReplicasPath"), findings);
    }
  }

  /** Reports a wrong number of current replicas, and a wrong selector. */
  static void checkStatus(MapNode object, MapNode scale, Findings findings) {
    if (scale.isEmpty()) {
      return;
    }
    replicas(object, scale.text("statusReplicasPath"), findings);
    String path = scale.text("labelSelectorPath");
    if (!path.isEmpty()) {
      String problem = NestedField.of(object, path).problemAsText();
      if (!problem.isEmpty()) {
        findings.invalidValue(Place.ROOT.field(path), Node.text(""), problem);
      }
    }
  }

  private static void replicas(MapNode object, String path, Findings findings) {
    Place at = Place.ROOT.field(path);
    NestedField found = NestedField.of(object, path);
    if (found.value() instanceof Node.Int number) {
      if (number.value() < 0) {
        findings.invalidValue(at, number, "should be a non-negative integer");
      } else if (number.value() > Integer.MAX_VALUE) {
        findings.invalidValue(at, number, "should be less than or equal to " + Integer.MAX_VALUE);
      }
      return;
    }
    String problem = found.problemAsInteger();
    if (!problem.isEmpty()) {
      findings.invalidValue(at, new Node.Int(0), problem);
    }
  }
}
