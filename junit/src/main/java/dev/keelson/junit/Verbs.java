package dev.keelson.junit;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The verbs of requests, as in RBAC and the audit log. */
final class Verbs {

  /** Those of resources, then those of other paths, which are HTTP methods. */
  private static final Set<String> ALL =
      Set.of(
          "get",
          "list",
          "watch",
          "create",
          "update",
          "patch",
          "delete",
          "deletecollection",
          "connect",
          "head",
          "options",
          "post",
          "put");

  private Verbs() {}

  /**
   * These verbs; a claim on a verb that does not exist would always hold.
   *
   * @throws IllegalArgumentException if one is none
   */
  static List<String> checked(String... verbs) {
    for (String verb : verbs) {
      if (!ALL.contains(verb)) {
        throw new IllegalArgumentException(
            "%s is not a verb of a request: %s".formatted(verb, ALL.stream().sorted().toList())
                + (ALL.contains(verb.toLowerCase(Locale.ROOT)) ? "; verbs are in lower case" : ""));
      }
    }
    return List.of(verbs);
  }
}
