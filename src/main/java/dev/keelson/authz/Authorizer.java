package dev.keelson.authz;

import dev.keelson.request.UserInfo;

/** Decides who may do what. Safe for use by several threads; may block where it asks others. */
public interface Authorizer {

  /** Whether it may be done. Never throws: what goes wrong is part of the decision. */
  Decision authorize(Attributes attributes);

  /**
   * What {@code user} may do in {@code namespace}, as far as that can be listed; resources of no
   * namespace and paths are included.
   */
  ResolvedRules rules(UserInfo user, String namespace);
}
