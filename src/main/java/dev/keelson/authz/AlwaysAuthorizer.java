package dev.keelson.authz;

import dev.keelson.request.UserInfo;
import java.util.List;

/** The authorizers AlwaysAllow and AlwaysDeny. */
public enum AlwaysAuthorizer implements Authorizer {
  /** Allows every request. */
  ALWAYS_ALLOW {
    @Override
    public Decision authorize(Attributes attributes) {
      return Decision.Allow.PLAIN;
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      return new ResolvedRules(
          List.of(PolicyRule.ALL_RESOURCES, PolicyRule.ALL_PATHS),
          /* incomplete= */ false,
          List.of());
    }
  },
  /** Has no opinion on any request, as kube-apiserver's AlwaysDeny. */
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
