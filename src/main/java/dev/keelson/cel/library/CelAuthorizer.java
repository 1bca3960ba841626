package dev.keelson.cel.library;

import org.jspecify.annotations.Nullable;

/**
 * Answers the authorization checks of expressions, for the user whose request is decided or for a
 * service account. A variable of type {@link AuthorizerFunctions#TYPE} has such a value.
 */
public interface CelAuthorizer {

  /** Decides a check. May block. */
  Decision decide(Check check);

  /**
   * What is asked.
   *
   * @param serviceAccount {@code NAMESPACE/NAME} of the account that is asked about; null for the
   *     user of the request
   * @param path the path of a check without a resource; null for one of a resource
   * @param group the API group; like the following empty for a check of a path
   */
  record Check(
      @Nullable String serviceAccount,
      @Nullable String path,
      String group,
      String resource,
      String subresource,
      String namespace,
      String name,
      Selectors selectors,
      String verb) {}

  /** The selectors of a check; empty for none. */
  record Selectors(String field, String label) {
    static final Selectors NONE = new Selectors("", "");
  }

  /**
   * An answer.
   *
   * @param error why there is no answer; empty if there is one
   */
  record Decision(boolean allowed, String reason, String error) {}
}
