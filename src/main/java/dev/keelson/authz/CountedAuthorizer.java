package dev.keelson.authz;

import dev.keelson.request.UserInfo;

/** An authorizer of a chain whose decisions are counted; no opinion is none. */
public final class CountedAuthorizer implements Authorizer {

  private final Authorizer authorizer;
  private final Runnable allowed;
  private final Runnable denied;

  /**
   * @param type its type, as in an AuthorizationConfiguration
   */
  public CountedAuthorizer(
      Authorizer authorizer, String type, String name, AuthorizerMetrics metrics) {
    this.authorizer = authorizer;
    this.allowed = metrics.decisions(type, name, /* allowed= */ true);
    this.denied = metrics.decisions(type, name, /* allowed= */ false);
  }

  @Override
  public Decision authorize(Attributes attributes) {
    Decision decision = authorizer.authorize(attributes);
    switch (decision) {
      case Decision.Allow _ -> allowed.run();
      case Decision.Deny _ -> denied.run();
      case Decision.NoOpinion _ -> {}
    }
    return decision;
  }

  @Override
  public ResolvedRules rules(UserInfo user, String namespace) {
    return authorizer.rules(user, namespace);
  }
}
