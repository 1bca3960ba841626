package dev.keelson.schema.validation;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Warnings about deprecated labels of nodes (source: pkg/api/node/util.go). */
public final class NodeLabelWarnings {

  private static final Map<String, String> DEPRECATED =
      Map.of(
          "beta.kubernetes.io/arch",
          "deprecated since v1.14; use \"kubernetes.io/arch\" instead",
          "beta.kubernetes.io/os",
          "deprecated since v1.14; use \"kubernetes.io/os\" instead",
          "failure-domain.beta.kubernetes.io/region",
          "deprecated since v1.17; use \"topology.kubernetes.io/region\" instead",
          "failure-domain.beta.kubernetes.io/zone",
          "deprecated since v1.17; use \"topology.kubernetes.io/zone\" instead",
          "beta.kubernetes.io/instance-type",
          "deprecated since v1.17; use \"node.kubernetes.io/instance-type\" instead",
          "app.kubernetes.io/created-by",
          "deprecated since v1.9",
          "scheduler.alpha.kubernetes.io/preferAvoidPods",
          "deprecated since v1.22; use Taints and Tolerations instead",
          "node-role.kubernetes.io/master",
          "use \"node-role.kubernetes.io/control-plane\" instead");

  private NodeLabelWarnings() {}

  /** What to say of a label; null if it is not deprecated. */
  public static @Nullable String message(String label) {
    return DEPRECATED.get(label);
  }

  /** Warns about the keys of a map of labels, such as a node selector; each key is shown. */
  public static void warnAboutKeys(Value labels, Consumer<String> warnings) {
    for (Value label : labels) {
      String message = message(label.name());
      if (message != null) {
        warnings.accept(label.path() + ": " + message);
      }
    }
  }

  /** Warns about a field whose value is a deprecated label, which is shown. */
  public static void warnAboutLabel(Value field, Consumer<String> warnings) {
    String message = message(field.text());
    if (message != null) {
      warnings.accept(field.path() + ": " + field.text() + " is " + message);
    }
  }

  /** Warns about the keys in the {@code matchExpressions} of a term of a node selector. */
  public static void warnAboutTerm(Value term, Consumer<String> warnings) {
    for (Value expression : term.get("matchExpressions")) {
      warnAboutLabel(expression.get("key"), warnings);
    }
  }
}
