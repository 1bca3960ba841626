package dev.keelson.authn;

import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Asks several authenticators in order. The first that knows the user decides. If none does, a
 * credential that was shown and is wrong makes the request fail; a request that shows none is
 * anonymous, if that is allowed.
 *
 * <p>A bearer token that nobody knows counts as wrong. Other schemes of the Authorization header
 * are not looked at, as Kubernetes does not.
 */
public final class UnionAuthenticator implements Authenticator {

  /** The group of everyone who is known. */
  public static final String AUTHENTICATED = "system:authenticated";

  /** The group of everyone who is not. */
  public static final String UNAUTHENTICATED = "system:unauthenticated";

  /** The user of a request without credentials. */
  public static final UserInfo ANONYMOUS =
      new UserInfo("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  private final List<Authenticator> authenticators;
  private final Supplier<AnonymousAuthConfig> anonymous;

  public UnionAuthenticator(List<Authenticator> authenticators, boolean anonymousAllowed) {
    this(authenticators, () -> AnonymousAuthConfig.of(anonymousAllowed));
  }

  /**
   * @param anonymous whether requests without credentials are served, as it is now
   */
  public UnionAuthenticator(
      List<Authenticator> authenticators, Supplier<AnonymousAuthConfig> anonymous) {
    this.authenticators = List.copyOf(authenticators);
    this.anonymous = anonymous;
  }

  /** Whether {@code user} may come to {@code path}: those that are known may go everywhere. */
  public boolean admits(UserInfo user, String path) {
    return user != ANONYMOUS || anonymous.get().at(path);
  }

  /**
   * Who makes the request: never {@link Authentication.NoOpinion}. A {@link
   * Authentication.Rejected} is answered with 401.
   */
  @Override
  public Authentication authenticate(Credentials credentials) {
    if (credentials.authorization().size() > 1) {
      // a proxy and this server could read different ones
      return new Authentication.Rejected("more than one Authorization header");
    }
    List<String> reasons = new ArrayList<>();
    for (Authenticator authenticator : authenticators) {
      switch (authenticator.authenticate(credentials)) {
        case Authentication.Authenticated known -> {
          return new Authentication.Authenticated(withGroup(known.user()), known.audiences());
        }
        case Authentication.Rejected rejected -> reasons.add(rejected.why());
        case Authentication.NoOpinion _ -> {}
      }
    }
    if (reasons.isEmpty() && credentials.bearerToken().isPresent()) {
      reasons.add("invalid bearer token");
    }
    if (!reasons.isEmpty()) {
      return new Authentication.Rejected(String.join("; ", reasons));
    }
    return anonymous.get().enabled()
        ? new Authentication.Authenticated(ANONYMOUS)
        : new Authentication.Rejected("no credentials were shown");
  }

  private static UserInfo withGroup(UserInfo user) {
    if (user.groups().contains(AUTHENTICATED) || user.groups().contains(UNAUTHENTICATED)) {
      return user;
    }
    List<String> groups = new ArrayList<>(user.groups());
    groups.add(AUTHENTICATED);
    return new UserInfo(user.name(), user.uid(), groups, user.extra());
  }
}
