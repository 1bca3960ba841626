package dev.keelson.server.page;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The format of a z-page that a client accepts (source: apiserver, server/statusz/negotiate): text,
 * or JSON or YAML of a version that the client names in full. JSON alone is not acceptable, so that
 * no program depends on a version by chance.
 *
 * @param mediaType the type without parameters
 * @param version the version of {@code config.k8s.io}; empty for text
 */
record PageFormat(String mediaType, String version) {

  static final String YAML = "application/yaml";

  private static final PageFormat TEXT = new PageFormat("text/plain", "");
  private static final Set<String> VERSIONS = Set.of("v1alpha1", "v1beta1");

  /** The parameters that name an object. */
  private static final Set<String> VIEW = Set.of("v", "g", "as", "sv");

  /** Whether it is plain text. */
  boolean isText() {
    return version.isEmpty();
  }

  /**
   * Returns the first format of an Accept header that is served; empty if none is.
   *
   * @param accept the header; empty for any format
   * @param kind the kind of the page, for example {@code Statusz}
   */
  static Optional<PageFormat> accepted(String accept, String kind) {
    if (accept.isBlank()) {
      return Optional.of(TEXT);
    }
    for (String range : accept.split(",", -1)) {
      List<String> parts = List.of(range.strip().split(";", -1));
      Map<String, String> parameters = parameters(parts);
      String type = parts.getFirst().strip().toLowerCase(Locale.ROOT);
      switch (type) {
        case "*/*", "text/*", "text/plain" -> {
          if (isPlain(parameters)) {
            return Optional.of(TEXT);
          }
        }
        case "application/json", YAML -> {
          if (names(parameters, kind)) {
            return Optional.of(new PageFormat(type, parameters.getOrDefault("v", "")));
          }
        }
        default -> {
          // another type, which is not served
        }
      }
    }
    return Optional.empty();
  }

  /** Parameters without a meaning here are ignored. */
  private static boolean isPlain(Map<String, String> parameters) {
    String charset = parameters.getOrDefault("charset", "utf-8");
    return VIEW.stream().noneMatch(parameters::containsKey) && charset.equalsIgnoreCase("utf-8");
  }

  private static boolean names(Map<String, String> parameters, String kind) {
    return "config.k8s.io".equals(parameters.get("g"))
        && kind.equals(parameters.get("as"))
        && VERSIONS.contains(parameters.getOrDefault("v", ""));
  }

  private static Map<String, String> parameters(List<String> parts) {
    Map<String, String> parameters = new HashMap<>();
    for (String part : parts.subList(1, parts.size())) {
      int equals = part.indexOf('=');
      if (equals > 0) {
        parameters.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
      }
    }
    return parameters;
  }
}
