package dev.keelson.authz;

import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs authorizers in order; the first that allows or denies decides. The group {@code
 * system:masters} is always allowed first, so that rules cannot lock out administrators.
 */
public final class UnionAuthorizer implements Authorizer {

  /** The group whose members are allowed every request. */
  public static final String MASTERS = "system:masters";

  private final List<Authorizer> authorizers;

  public UnionAuthorizer(List<Authorizer> authorizers) {
    this.authorizers = List.copyOf(authorizers);
  }

  @Override
  public Decision authorize(Attributes attributes) {
    if (attributes.user().groups().contains(MASTERS)) {
      return Decision.Allow.PLAIN;
    }
    List<String> reasons = new ArrayList<>(0);
    List<String> errors = new ArrayList<>(0);
    for (Authorizer authorizer : authorizers) {
      switch (authorizer.authorize(attributes)) {
        case Decision.Allow allow -> {
          return allow;
        }
        case Decision.Deny deny -> {
          return deny;
        }
        case Decision.NoOpinion none -> {
          if (!none.reason().isEmpty()) {
            reasons.add(none.reason());
          }
          if (!none.error().isEmpty()) {
            errors.add(none.error());
          }
        }
      }
    }
    return reasons.isEmpty() && errors.isEmpty()
        ? Decision.NoOpinion.PLAIN
        : new Decision.NoOpinion(String.join("\n", reasons), EvaluationErrors.aggregate(errors));
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    ResolvedRules all = ResolvedRules.NONE;
    for (Authorizer authorizer : authorizers) {
      all = all.and(authorizer.rules(user, namespace));
    }
    return all;
  }
}
