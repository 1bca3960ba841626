package dev.keelson.authz;

import dev.keelson.request.UserInfo;

/** Authorizes requests. Safe for use by several threads; may block on a webhook. */
public interface Authorizer {

  /** Decides a request. Never throws: errors are part of the decision. */
  Decision authorize(Attributes attributes);

  /**
   * Resolves the rules of {@code user} in {@code namespace}, including cluster-scoped resources and
   * non-resource paths.
   */
  ResolvedRules rules(UserInfo user, String namespace);
}
