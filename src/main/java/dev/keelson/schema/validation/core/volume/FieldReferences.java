package dev.keelson.schema.validation.core.volume;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.util.Set;

/** References to fields of a pod and to resources of its containers, in variables and files. */
public final class FieldReferences {
  public static final Set<String> ENV_FIELDS =
      Set.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  /** What can be named otherwise, but not in a variable. */
  private static final Set<String> OTHER_FIELDS =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "spec.restartPolicy",
          "spec.schedulerName",
          "status.phase");

  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final Set<String> BYTE_DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");
  static final Set<String> FILE_FIELDS =
      Set.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.labels",
          "metadata.annotations",
          "metadata.uid");

  private FieldReferences() {}

  /** Validates a reference to a field of the pod; causes are reported at {@code shownAt}. */
  public static void validateObjectFieldSelector(Value ref, Value shownAt, Set<String> supported) {
    Value path = shownAt.get("fieldPath");
    String text = ref.get("fieldPath").text();
    if (text.isEmpty()) {
      path.required();
      return;
    }
    Value version = ref.get("apiVersion");
    if (text.equals("spec.host")) {
      // the former name of the field
      text = "spec.nodeName";
    }
    int bracket = text.indexOf('[');
    boolean subscript = bracket > 0 && text.startsWith("'", bracket + 1) && text.endsWith("']");
    String map = subscript ? text.substring(0, bracket) : "";
    if (version.filled() && !version.is("v1")) {
      path.invalid(text, "error converting fieldPath: unsupported pod version: " + version.text());
    } else if (map.equals("metadata.labels") || map.equals("metadata.annotations")) {
      String key = text.substring(bracket + 2, text.length() - 2);
      String shown =
          map.equals("metadata.annotations") ? key.toLowerCase(java.util.Locale.ROOT) : key;
      String problem = Formats.QUALIFIED_NAME.apply(shown);
      if (!problem.isEmpty()) {
        shownAt.invalid(shown, problem);
      }
    } else if (subscript) {
      path.invalid(
          text, "error converting fieldPath: field label does not support subscript: " + text);
    } else if (!supported.contains(text)) {
      if (OTHER_FIELDS.contains(text) || ENV_FIELDS.contains(text)) {
        path.unsupportedText(text, supported.toArray(String[]::new));
      } else {
        path.invalid(text, "error converting fieldPath: field label not supported: " + text);
      }
    }
  }

  /** Validates a reference to a resource of a container; causes are reported at {@code shownAt}. */
  public static void validateContainerResourceFieldSelector(
      Value ref, Value shownAt, boolean inVolume) {
    String text = ref.get("resource").text();
    boolean hugePages =
        text.startsWith("requests.hugepages-") || text.startsWith("limits.hugepages-");
    if (inVolume && !ref.get("containerName").filled()) {
      shownAt.get("containerName").required();
    } else if (text.isEmpty()) {
      shownAt.get("resource").required();
    } else if (!hugePages) {
      shownAt
          .get("resource")
          .holding(Node.text(text))
          .oneOf(
              "limits.cpu",
              "limits.ephemeral-storage",
              "limits.memory",
              "requests.cpu",
              "requests.ephemeral-storage",
              "requests.memory");
    }
    validateDivisor(ref.get("divisor"), text, shownAt.get("divisor"));
  }

  private static void validateDivisor(Value divisor, String resource, Value shownAt) {
    String text = QuantityRules.text(divisor);
    if (text.isEmpty() || text.equals("0")) {
      return;
    }
    String kind =
        switch (resource) {
          case "limits.cpu", "requests.cpu" -> "cpu";
          case "limits.memory", "requests.memory" -> "memory";
          case "limits.ephemeral-storage", "requests.ephemeral-storage" ->
              "local ephemeral storage";
          default -> resource.contains(".hugepages-") ? "hugepages" : "";
        };
    if (kind.equals("cpu") && !CPU_DIVISORS.contains(text)) {
      shownAt.invalid(
          resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    } else if (!kind.isEmpty() && !kind.equals("cpu") && !BYTE_DIVISORS.contains(text)) {
      shownAt.invalid(
          resource,
          "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
              + " supported with the "
              + kind
              + " resource");
    }
  }
}
