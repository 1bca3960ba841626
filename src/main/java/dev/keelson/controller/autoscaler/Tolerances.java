package dev.keelson.controller.autoscaler;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Quantity;

/** How far the ratio of a metric to its target may be from 1 without an effect. */
record Tolerances(double down, double up) {

  /** Those of an autoscaler's behavior, else a common one. */
  static Tolerances of(MapNode behavior, double common) {
    return new Tolerances(
        tolerance(behavior.map("scaleDown"), common), tolerance(behavior.map("scaleUp"), common));
  }

  private static double tolerance(MapNode rules, double common) {
    return switch (rules.get("tolerance")) {
      case Node.Text text ->
          Quantity.tryParse(text.value())
              .map(quantity -> quantity.amount().doubleValue())
              .orElse(common);
      case Node.Int number -> number.value();
      case null, default -> common;
    };
  }

  boolean cover(double ratio) {
    return 1 - down <= ratio && ratio <= 1 + up;
  }
}
