package dev.keelson.admission.expression;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.cel.library.CelAuthorizer;
import dev.keelson.request.UserInfo;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers the authorization checks of expressions for the user of a request. Decisions are kept for
 * the request, as in Kubernetes. Used by one thread.
 */
public final class RequestAuthorizer implements CelAuthorizer {

  private static final String ANY_VERSION = "*";

  private final Authorizer authorizer;
  private final UserInfo user;
  private final Map<Check, Decision> decisions = new HashMap<>();

  /** An authorizer for {@code user}. */
  public RequestAuthorizer(Authorizer authorizer, UserInfo user) {
    this.authorizer = authorizer;
    this.user = user;
  }

  @Override
  public Decision decide(Check check) {
    Decision known = decisions.get(check);
    if (known == null) {
      known = decided(check);
      decisions.put(check, known);
    }
    return known;
  }

  private Decision decided(Check check) {
    String account = check.serviceAccount();
    UserInfo asked = account == null ? user : serviceAccount(account);
    String path = check.path();
    Attributes.Target target =
        path != null
            ? new Attributes.Path(path)
            : new Attributes.Resource(
                check.group(),
                ANY_VERSION,
                check.resource(),
                check.subresource(),
                check.namespace(),
                check.name(),
                check.selectors().field(),
                check.selectors().label());
    dev.keelson.authz.Decision decision =
        authorizer.authorize(new Attributes(asked, check.verb(), target));
    String error =
        switch (decision) {
          case dev.keelson.authz.Decision.Allow _ -> "";
          case dev.keelson.authz.Decision.Deny deny -> deny.error();
          case dev.keelson.authz.Decision.NoOpinion none -> none.error();
        };
    return new Decision(decision.allowed(), decision.reason(), error);
  }

  /**
   * The user of a service account, by its namespace and name. As in Kubernetes it lacks the group
   * of all authenticated users, which only authentication adds.
   */
  private static UserInfo serviceAccount(String account) {
    int slash = account.indexOf('/');
    String namespace = account.substring(0, slash);
    return new UserInfo(
        "system:serviceaccount:" + namespace + ":" + account.substring(slash + 1),
        "",
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
        Map.of());
  }
}
