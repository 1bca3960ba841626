package dev.keelson.schema.openapi.operation;

import java.util.List;
import java.util.Locale;

/**
 * The id of an operation. Generated clients take their method names from it, so the rule is
 * kube-apiserver's (endpoints/openapi/openapi.go): group and version follow the verb.
 *
 * @param id for example {@code listBatchV1NamespacedJob}
 * @param tag for example {@code batch_v1}
 */
public record OperationId(String id, String tag) {

  private static final String DOMAIN = ".k8s.io";

  private static final List<String> VERBS =
      List.of("create", "delete", "get", "list", "patch", "read", "replace", "watch", "connect");

  /**
   * The id of the operation {@code name} on {@code path}.
   *
   * @throws IllegalArgumentException if the name begins with no known verb
   */
  public static OperationId of(String path, String name) {
    String verb =
        VERBS.stream()
            .filter(name::startsWith)
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(name + " begins with no verb"));
    String rest = camel(name.substring(verb.length()), /* capital= */ true);
    String[] steps = path.substring(1).split("/", -1);
    boolean core = steps[0].equals("api");
    if (!core && !(steps[0].equals("apis") && steps.length > 1 && !steps[1].isEmpty())) {
      return new OperationId(verb + rest, camel(steps[0], /* capital= */ false));
    }
    String group = core ? "core" : withoutDomain(steps[1]);
    String version = steps.length > (core ? 1 : 2) ? steps[core ? 1 : 2] : "";
    String tag = camel(group, /* capital= */ false);
    return new OperationId(
        verb + camel(group, /* capital= */ true) + camel(version, /* capital= */ true) + rest,
        version.isEmpty() ? tag : tag + "_" + version);
  }

  private static String withoutDomain(String group) {
    return group.endsWith(DOMAIN) ? group.substring(0, group.length() - DOMAIN.length()) : group;
  }

  /** Drops what an identifier cannot have and capitalises what follows it. */
  static String camel(String text, boolean capital) {
    StringBuilder camel = new StringBuilder(text.length());
    boolean next = capital;
    for (int i = 0; i < text.length(); i++) {
      String c = text.substring(i, i + 1);
      if (!Character.isLetterOrDigit(c.charAt(0)) && c.charAt(0) != '_') {
        next = true;
      } else {
        camel.append(next ? c.toUpperCase(Locale.ROOT) : c);
        next = false;
      }
    }
    return camel.toString();
  }
}
