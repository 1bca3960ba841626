package dev.keelson.authz;

import java.util.List;

/** Joins the errors of several evaluations. */
public final class EvaluationErrors {

  private EvaluationErrors() {}

  /**
   * Joins errors as Kubernetes' aggregate errors do: each once, in brackets if there are several.
   */
  public static String aggregate(List<String> errors) {
    List<String> distinct = errors.stream().distinct().toList();
    return switch (distinct.size()) {
      case 0 -> "";
      case 1 -> distinct.getFirst();
      default -> "[" + String.join(", ", distinct) + "]";
    };
  }
}
