package dev.keelson.authz;

import dev.keelson.request.UserInfo;
import java.util.List;

/** The authorizers that give everyone the same answer. */
public enum AlwaysAuthorizer implements Authorizer {
  /** Allows everything. */
  ALWAYS_ALLOW {
    @Override
    public Decision authorize(Attributes attributes) {
      return Decision.Allow.PLAIN;
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      return new ResolvedRules(
          List.of(PolicyRule.ALL_RESOURCES, PolicyRule.ALL_PATHS), /* incomplete= */ false, "");
    }
  },
  /** Allows nothing, and leaves it to others. */
  ALWAYS_DENY {
    @Override
    public Decision authorize(Attributes attributes) {
      return new Decision.NoOpinion("Everything is forbidden.", "");
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      return ResolvedRules.NONE;
    }
  }
}
