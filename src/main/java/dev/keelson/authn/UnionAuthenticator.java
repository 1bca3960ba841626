package dev.keelson.authn;

import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Runs authenticators in order; the first that authenticates the user decides. If none does, a
 * rejected credential fails the request; a request without credentials is anonymous if that is
 * enabled. A bearer token that no authenticator accepts is rejected. Other schemes of the
 * Authorization header are ignored, as in kube-apiserver.
 */
public final class UnionAuthenticator implements Authenticator {

  /** The group of all authenticated users. */
  public static final String AUTHENTICATED = "system:authenticated";

  /** The group of unauthenticated users. */
  public static final String UNAUTHENTICATED = "system:unauthenticated";

  /** The user of requests without credentials. */
  public static final UserInfo ANONYMOUS =
      new UserInfo("system:anonymous", "", List.of(UNAUTHENTICATED), Map.of());

  private final List<Authenticator> authenticators;
  private final Supplier<AnonymousAuthConfig> anonymous;

  public UnionAuthenticator(List<Authenticator> authenticators, boolean anonymousAllowed) {
    this(authenticators, () -> AnonymousAuthConfig.of(anonymousAllowed));
  }

  /**
   * @param anonymous supplies the current configuration of anonymous requests
   */
  public UnionAuthenticator(
      List<Authenticator> authenticators, Supplier<AnonymousAuthConfig> anonymous) {
    this.authenticators = List.copyOf(authenticators);
    this.anonymous = anonymous;
  }

  /** Whether {@code user} may request {@code path}: authenticated users may request every path. */
  public boolean admits(UserInfo user, String path) {
    return user != ANONYMOUS || anonymous.get().at(path);
  }

  /**
   * Authenticates the request; never returns {@link Authentication.NoOpinion}. {@link
   * Authentication.Rejected} becomes a 401 response.
   */
  @Override
  public Authentication authenticate(Credentials credentials) {
    if (credentials.authorization().size() > 1) {
      // a proxy and this server could read different headers
      return new Authentication.Rejected("more than one Authorization header");
    }
    List<String> reasons = new ArrayList<>();
    Map<String, String> annotations = new HashMap<>();
    for (Authenticator authenticator : authenticators) {
      switch (authenticator.authenticate(credentials)) {
        case Authentication.Authenticated known -> {
          return new Authentication.Authenticated(
              withGroup(known.user()), known.audiences(), known.annotations(), known.warnings());
        }
        case Authentication.Rejected rejected -> {
          reasons.add(rejected.reason());
          annotations.putAll(rejected.annotations());
        }
        case Authentication.NoOpinion _ -> {}
      }
    }
    String problem = credentials.problem();
    if (!problem.isEmpty()) {
      reasons.add(problem);
    }
    if (credentials.bearerToken().isPresent()) {
      // that of the authenticator of the server's own token, which kube-apiserver asks first
      reasons.addFirst("invalid bearer token");
    }
    if (!reasons.isEmpty()) {
      return new Authentication.Rejected(joined(reasons), annotations);
    }
    return anonymous.get().enabled()
        ? new Authentication.Authenticated(ANONYMOUS)
        : new Authentication.Rejected("no credentials");
  }

  /** Joins reasons as Kubernetes' aggregate errors do. */
  private static String joined(List<String> reasons) {
    List<String> distinct = reasons.stream().distinct().toList();
    return distinct.size() == 1 ? distinct.getFirst() : "[" + String.join(", ", distinct) + "]";
  }

  /** Adds the group of authenticated users, unless credentials say that the user is none. */
  private static UserInfo withGroup(UserInfo user) {
    if (user.name().equals(ANONYMOUS.name())
        || user.groups().contains(AUTHENTICATED)
        || user.groups().contains(UNAUTHENTICATED)) {
      return user;
    }
    List<String> groups = new ArrayList<>(user.groups());
    groups.add(AUTHENTICATED);
    return new UserInfo(user.name(), user.uid(), groups, user.extra());
  }
}
