package dev.keelson.http.filter;

import dev.keelson.api.ApiException;
import dev.keelson.api.Names;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.EvaluationErrors;
import dev.keelson.authz.ForbiddenError;
import dev.keelson.cache.BoundedCache;
import dev.keelson.http.RequestMetrics;
import dev.keelson.request.UserInfo;
import dev.keelson.value.GoQuote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Authorizes impersonation: tries the modes in order; the first mode whose checks all pass applies.
 * If none does, the error of the first mode is returned. The last successful mode of a user is
 * tried first, so that users of the legacy mode need no further checks. Safe for use by several
 * threads; blocks if the authorizer does.
 */
final class ImpersonationAuthorizer {

  private static final String AUTHENTICATION = "authentication.k8s.io";
  private static final String NODES = "system:nodes";
  private static final String MASTERS = "system:masters";
  private static final String PATH = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
  private static final Pattern IS_PATH = Pattern.compile(PATH);
  private static final String KEYS = "authentication.kubernetes.io/associated-node-keys";

  /** Maximum number of users whose last mode is cached. */
  private static final int MAX_CACHED = 1024;

  /**
   * From this number of values on, a check for {@code *} replaces the single checks if it passes.
   */
  private static final int MANY = 4;

  private final Authorizer authorizer;
  private final RequestMetrics metrics;
  private final BoundedCache<String, ImpersonationMode> lastMode = new BoundedCache<>(MAX_CACHED);

  /**
   * What is allowed.
   *
   * @param user the user to act as
   * @param mode the mode that allows it
   */
  record Granted(UserInfo user, ImpersonationMode mode) {

    /** The verb that allows it; empty for the legacy verb. */
    String constraint() {
      return mode.isConstrained() ? mode.verb() : "";
    }
  }

  /**
   * @param metrics records every attempt and every question to the authorizer
   */
  ImpersonationAuthorizer(Authorizer authorizer, RequestMetrics metrics) {
    this.authorizer = authorizer;
    this.metrics = metrics;
  }

  /**
   * Returns the impersonated user, with the groups implied by its name.
   *
   * @param asked the attributes of the request, with the original user
   * @throws ApiException of reason Forbidden if no mode allows it
   */
  Granted require(Attributes asked, Impersonation wish) {
    long begin = System.nanoTime();
    String mode = "";
    try {
      Granted granted = granted(asked, wish);
      mode = granted.mode().label();
      return granted;
    } finally {
      metrics.impersonated(mode, Duration.ofNanos(System.nanoTime() - begin));
    }
  }

  private Granted granted(Attributes asked, Impersonation wish) {
    ParsedUserName other = ParsedUserName.of(wish.name());
    ApiException first = null;
    for (ImpersonationMode mode : inOrder(asked.user().name())) {
      if (!mode.applies(asked.user(), other, wish)) {
        continue;
      }
      try {
        check(mode, asked, wish, other);
        lastMode.put(asked.user().name(), mode);
        return new Granted(completed(mode, wish, other), mode);
      } catch (ApiException refused) {
        first = first == null ? refused : first;
      }
    }
    if (first == null) {
      throw new IllegalStateException("the legacy mode applies to every user");
    }
    throw first;
  }

  private List<ImpersonationMode> inOrder(String user) {
    List<ImpersonationMode> modes = new ArrayList<>(List.of(ImpersonationMode.values()));
    ImpersonationMode last = lastMode.get(user).orElse(null);
    if (last != null) {
      modes.remove(last);
      modes.addFirst(last);
    }
    return modes;
  }

  private void check(
      ImpersonationMode mode, Attributes asked, Impersonation wish, ParsedUserName other) {
    UserInfo user = asked.user();
    if (mode == ImpersonationMode.ASSOCIATED_NODE) {
      // the mode has checked that it is the account's own node; rules name all nodes
      user =
          new UserInfo(
              user.name(),
              user.uid(),
              user.groups(),
              Map.of(KEYS, List.copyOf(new TreeSet<>(user.extra().keySet()))));
    }
    if (mode.isConstrained()) {
      require(mode, new Attributes(user, mode.verbOn(asked.verb()), asked.target()));
    }
    name(mode, user, wish, other);
    if (!wish.uid().isEmpty()) {
      require(mode, part(mode, user, AUTHENTICATION, "uids", "", wish.uid()));
    }
    groups(mode, user, wish.groups());
    extras(mode, user, wish.extra());
  }

  private void name(
      ImpersonationMode mode, UserInfo user, Impersonation wish, ParsedUserName other) {
    String group = mode.isConstrained() ? AUTHENTICATION : "";
    if (other instanceof ParsedUserName.Account(String namespace, String name)) {
      require(
          mode,
          new Attributes(
              user,
              mode.verb(),
              new Attributes.Resource(
                  group, "v1", "serviceaccounts", "", namespace, name, "", "")));
    } else if (mode.isConstrained() && other instanceof ParsedUserName.Node(String node)) {
      boolean own = mode == ImpersonationMode.ASSOCIATED_NODE;
      require(mode, part(mode, user, group, "nodes", "", own ? "*" : node));
    } else {
      require(mode, part(mode, user, group, "users", "", wish.name()));
    }
  }

  private void groups(ImpersonationMode mode, UserInfo user, List<String> groups) {
    String group = mode.isConstrained() ? AUTHENTICATION : "";
    if (mode.isConstrained()) {
      if (groups.contains("")) {
        throw refusal(
            part(mode, user, group, "groups", "", ""),
            "impersonating the empty string group is not allowed");
      }
      if (groups.contains(MASTERS)) {
        throw refusal(
            part(mode, user, group, "groups", "", MASTERS),
            "impersonating the system:masters group is not allowed");
      }
      if (groups.size() >= MANY
          && asks(mode, part(mode, user, group, "groups", "", "*")).allowed()) {
        return;
      }
    }
    for (String one : groups) {
      require(mode, part(mode, user, group, "groups", "", one));
    }
  }

  private void extras(ImpersonationMode mode, UserInfo user, Map<String, List<String>> extra) {
    if (mode.isConstrained() && !extra.isEmpty()) {
      String problem = extraProblem(extra);
      if (problem != null) {
        throw refusal(part(mode, user, AUTHENTICATION, "userextras", "", ""), problem);
      }
      boolean many =
          extra.size() >= MANY || extra.values().stream().mapToInt(List::size).sum() >= MANY;
      if (many && asks(mode, part(mode, user, AUTHENTICATION, "userextras", "*", "*")).allowed()) {
        return;
      }
    }
    extra.forEach(
        (key, values) -> {
          for (String value : values) {
            require(mode, part(mode, user, AUTHENTICATION, "userextras", key, value));
          }
        });
  }

  /**
   * Returns the problem of values that constrained modes never allow; the legacy mode authorizes
   * them.
   */
  private static @Nullable String extraProblem(Map<String, List<String>> extra) {
    for (Map.Entry<String, List<String>> entry : extra.entrySet()) {
      String key = entry.getKey();
      if (key.isEmpty()) {
        return "impersonating the empty string key in extra is not allowed";
      }
      List<String> problems = pathProblems(key);
      if (!problems.isEmpty()) {
        return "impersonating an invalid key in extra is not allowed: "
            + EvaluationErrors.aggregate(problems);
      }
      if (!key.equals(key.toLowerCase(Locale.ROOT))) {
        return "impersonating a non-lowercase key in extra is not allowed: " + GoQuote.quote(key);
      }
      if (entry.getValue().contains("")) {
        return "impersonating the empty string value in extra is not allowed";
      }
    }
    return null;
  }

  private static List<String> pathProblems(String key) {
    int slash = key.indexOf('/');
    if (slash <= 0 || slash == key.length() - 1) {
      return List.of(invalidKey(key, "must be a domain-prefixed path (such as \"acme.io/foo\")"));
    }
    List<String> problems = new ArrayList<>();
    String domain = key.substring(0, slash);
    Names.dnsSubdomain(domain).lines().forEach(why -> problems.add(invalidKey(domain, why)));
    String path = key.substring(slash + 1);
    if (!IS_PATH.matcher(path).matches()) {
      problems.add(invalidKey(path, "Invalid path (regex used for validation is '" + PATH + "')"));
    }
    return problems;
  }

  private static String invalidKey(String value, String why) {
    return "extra.key: Invalid value: " + GoQuote.quote(value) + ": " + why;
  }

  private static Attributes part(
      ImpersonationMode mode,
      UserInfo user,
      String group,
      String resource,
      String subresource,
      String name) {
    return new Attributes(
        user,
        mode.verb(),
        new Attributes.Resource(group, "v1", resource, subresource, "", name, "", ""));
  }

  private Decision asks(ImpersonationMode mode, Attributes question) {
    long begin = System.nanoTime();
    Decision decision = authorizer.authorize(question);
    metrics.impersonationChecked(
        mode.label(), decision.allowed(), Duration.ofNanos(System.nanoTime() - begin));
    return decision;
  }

  private void require(ImpersonationMode mode, Attributes question) {
    Decision decision = asks(mode, question);
    String error =
        switch (decision) {
          case Decision.Allow _ -> null;
          case Decision.Deny deny -> deny.error();
          case Decision.NoOpinion none -> none.error();
        };
    if (error != null) {
      String reason = decision.reason();
      throw refusal(
          question, error.isEmpty() || reason.isEmpty() ? error + reason : error + ": " + reason);
    }
  }

  private static ApiException refusal(Attributes question, String why) {
    return ForbiddenError.of(question, new Decision.NoOpinion(why, ""));
  }

  private static UserInfo completed(
      ImpersonationMode mode, Impersonation wish, ParsedUserName other) {
    List<String> groups = new ArrayList<>(wish.groups());
    if (mode.isConstrained() && other instanceof ParsedUserName.Node) {
      groups.add(NODES);
    } else if (groups.isEmpty() && other instanceof ParsedUserName.Account account) {
      groups.add("system:serviceaccounts");
      groups.add("system:serviceaccounts:" + account.namespace());
    }
    if (wish.name().equals(UnionAuthenticator.ANONYMOUS.name())) {
      ensure(groups, UnionAuthenticator.UNAUTHENTICATED);
    } else if (!groups.contains(UnionAuthenticator.UNAUTHENTICATED)) {
      ensure(groups, UnionAuthenticator.AUTHENTICATED);
    }
    return new UserInfo(wish.name(), wish.uid(), groups, new LinkedHashMap<>(wish.extra()));
  }

  private static void ensure(List<String> groups, String group) {
    if (!groups.contains(group)) {
      groups.add(group);
    }
  }
}
