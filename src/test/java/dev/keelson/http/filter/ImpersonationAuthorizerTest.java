package dev.keelson.http.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.api.ApiException;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestMetrics;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ImpersonationAuthorizerTest {

  private static final UserInfo BOB = new UserInfo("bob", "", List.of(), Map.of());
  private static final UserInfo AGENT =
      new UserInfo(
          "system:serviceaccount:ns:agent",
          "",
          List.of(),
          Map.of("authentication.kubernetes.io/node-name", List.of("one"), "other", List.of("x")));
  private static final Attributes.Resource PODS =
      new Attributes.Resource("", "v1", "pods", "", "ns", "", "", "");

  /** What is allowed: user, verb, resource with group, and name. */
  private final Set<String> allowed = new HashSet<>();

  private final List<String> asked = new ArrayList<>();
  private final List<String> recorded = new ArrayList<>();
  private final ImpersonationAuthorizer rules =
      new ImpersonationAuthorizer(new Listed(), new Recorded());

  @Test
  void legacyVerb_allowsEverything() {
    allow("bob impersonate users. ann", "bob impersonate groups. system:masters");
    allow("bob impersonate uids.authentication.k8s.io 7");
    allow("bob impersonate userextras/scopes.authentication.k8s.io all");

    assertThat(
            list(
                BOB,
                new Impersonation(
                    "ann", "7", List.of("system:masters"), Map.of("scopes", List.of("all")))))
        .isEqualTo(
            new UserInfo(
                "ann",
                "7",
                List.of("system:masters", "system:authenticated"),
                Map.of("scopes", List.of("all"))));
  }

  @Test
  void userInfo_needsTheVerbOnWhatIsAsked_andOnEachPart() {
    allow("bob impersonate-on:user-info:list pods. ");
    allow("bob impersonate:user-info users.authentication.k8s.io ann");
    allow("bob impersonate:user-info groups.authentication.k8s.io dev");

    assertThat(list(BOB, as("ann", "dev")).groups()).containsExactly("dev", "system:authenticated");
    refused(
        BOB,
        "get",
        as("ann"),
        "pods is forbidden: User \"bob\" cannot impersonate-on:user-info:get resource \"pods\" in"
            + " API group \"\" in the namespace \"ns\"");
    refused(
        BOB,
        "list",
        as("eve"),
        "users.authentication.k8s.io \"eve\" is forbidden: User \"bob\" cannot"
            + " impersonate:user-info resource \"users\" in API group \"authentication.k8s.io\" at"
            + " the cluster scope");
  }

  @Test
  void firstRefusal_isTold_andThatOfTheLastSuccessIsFirst() {
    refused(
        BOB,
        "list",
        as("eve"),
        "pods is forbidden: User \"bob\" cannot impersonate-on:user-info:list resource \"pods\" in"
            + " API group \"\" in the namespace \"ns\"");
    allow("bob impersonate users. ann");
    list(BOB, as("ann"));
    asked.clear();

    list(BOB, as("ann"));

    assertThat(asked).containsExactly("bob impersonate users. ann");
    refused(
        BOB,
        "list",
        as("eve"),
        "users \"eve\" is forbidden: User \"bob\" cannot impersonate resource \"users\" in API"
            + " group \"\" at the cluster scope");
  }

  @Test
  void masters_areOfTheOldestModeOnly() {
    allow("bob impersonate-on:user-info:list pods. ");
    allow("bob impersonate:user-info users.authentication.k8s.io ann");
    allow("bob impersonate:user-info groups.authentication.k8s.io system:masters");

    refused(
        BOB,
        "list",
        as("ann", "system:masters"),
        "groups.authentication.k8s.io \"system:masters\" is forbidden: User \"bob\" cannot"
            + " impersonate:user-info resource \"groups\" in API group \"authentication.k8s.io\" at"
            + " the cluster scope: impersonating the system:masters group is not allowed");
  }

  @Test
  void account_hasAModeOfItsOwn_andItsGroups() {
    allow("bob impersonate-on:serviceaccount:list pods. ");
    allow("bob impersonate:serviceaccount serviceaccounts.authentication.k8s.io ns/builder");

    assertThat(list(BOB, as("system:serviceaccount:ns:builder")).groups())
        .containsExactly(
            "system:serviceaccounts", "system:serviceaccounts:ns", "system:authenticated");
    refused(
        BOB,
        "list",
        as("system:serviceaccount:ns:builder", "dev"),
        "serviceaccounts \"builder\" is forbidden: User \"bob\" cannot impersonate resource"
            + " \"serviceaccounts\" in API group \"\" in the namespace \"ns\"");
  }

  @Test
  void node_isANodeByConstrainedModesOnly() {
    allow("bob impersonate-on:arbitrary-node:list pods. ");
    allow("bob impersonate:arbitrary-node nodes.authentication.k8s.io two");
    assertThat(list(BOB, as("system:node:two")).groups())
        .containsExactly("system:nodes", "system:authenticated");

    allow("ann impersonate users. system:node:two");
    UserInfo ann = new UserInfo("ann", "", List.of(), Map.of());
    assertThat(list(ann, as("system:node:two")).groups()).containsExactly("system:authenticated");
  }

  @Test
  void account_actsAsTheNodeOfItsPod() {
    String agent = AGENT.name();
    allow(agent + " impersonate-on:associated-node:list pods. ");
    allow(agent + " impersonate:associated-node nodes.authentication.k8s.io *");

    assertThat(list(AGENT, as("system:node:one")))
        .isEqualTo(
            new UserInfo(
                "system:node:one", "", List.of("system:nodes", "system:authenticated"), Map.of()));
    refused(
        AGENT,
        "list",
        as("system:node:two"),
        "pods is forbidden: User \""
            + agent
            + "\" cannot impersonate-on:arbitrary-node:list resource \"pods\" in API group \"\" in"
            + " the namespace \"ns\"");
  }

  @Test
  void manyGroups_mayBeAllowedAtOnce() {
    allow("bob impersonate-on:user-info:list pods. ");
    allow("bob impersonate:user-info users.authentication.k8s.io ann");
    allow("bob impersonate:user-info groups.authentication.k8s.io *");

    assertThat(list(BOB, as("ann", "a", "b", "c", "d")).groups()).hasSize(5);
    assertThatThrownBy(() -> list(BOB, as("ann", "a", "b"))).isInstanceOf(ApiException.class);
  }

  @Test
  void extraKeys_haveADomain() {
    allow("bob impersonate-on:user-info:list pods. ");
    allow("bob impersonate:user-info users.authentication.k8s.io ann");
    allow("bob impersonate:user-info userextras/example.org/k.authentication.k8s.io v");

    assertThat(list(BOB, extra("example.org/k", "v")).extra())
        .isEqualTo(Map.of("example.org/k", List.of("v")));
    assertThatThrownBy(() -> list(BOB, extra("k", "v")))
        .hasMessageEndingWith(
            "impersonating an invalid key in extra is not allowed: extra.key: Invalid value: \"k\":"
                + " must be a domain-prefixed path (such as \"acme.io/foo\")");
    assertThatThrownBy(() -> list(BOB, extra("example.org/k k", "v")))
        .hasMessageEndingWith(
            "extra.key: Invalid value: \"k k\": Invalid path (regex used for validation is"
                + " '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')");
    assertThatThrownBy(() -> list(BOB, extra("-/{", "v")))
        .hasMessageContaining("not allowed: [extra.key: Invalid value: \"-\": a lowercase RFC 1123")
        .hasMessageContaining(", extra.key: Invalid value: \"{\": Invalid path");
    assertThatThrownBy(() -> list(BOB, extra("example.org/k", "")))
        .hasMessageEndingWith("impersonating the empty string value in extra is not allowed");
  }

  @Test
  void extraKeys_areLowerCase() {
    allow("bob impersonate-on:user-info:list pods. ");
    allow("bob impersonate:user-info users.authentication.k8s.io ann");

    assertThatThrownBy(() -> list(BOB, extra("example.org/K", "v")))
        .hasMessageEndingWith(
            "impersonating a non-lowercase key in extra is not allowed: \"example.org/K\"");
    assertThatThrownBy(() -> list(BOB, extra("Example.org/k", "v")))
        .hasMessageContaining("extra.key: Invalid value: \"Example.org\": a lowercase RFC 1123")
        .hasMessageContaining("regex used for validation is");
  }

  @Test
  void attemptsAndQuestions_areRecordedByMode() {
    allow("bob impersonate-on:user-info:list pods. ");
    allow("bob impersonate:user-info users.authentication.k8s.io ann");
    UserInfo unused = list(BOB, as("ann"));
    assertThatThrownBy(() -> list(BOB, as("eve"))).isInstanceOf(ApiException.class);
    allow("ann impersonate users. eve");
    UserInfo legacy = list(new UserInfo("ann", "", List.of(), Map.of()), as("eve"));

    assertThat(legacy.name()).isEqualTo("eve");
    assertThat(recorded)
        .containsExactly(
            "user-info true",
            "user-info true",
            "attempt user-info",
            "user-info true",
            "user-info false",
            "legacy false",
            "attempt ",
            "user-info false",
            "legacy true",
            "attempt legacy");
  }

  @Test
  void anonymous_isUnauthenticated() {
    allow("bob impersonate users. system:anonymous");

    assertThat(list(BOB, as("system:anonymous")).groups())
        .containsExactly("system:unauthenticated");
  }

  private void allow(String... what) {
    allowed.addAll(List.of(what));
  }

  private UserInfo list(UserInfo user, Impersonation wish) {
    return rules.require(new Attributes(user, "list", PODS), wish).user();
  }

  private void refused(UserInfo user, String verb, Impersonation wish, String message) {
    assertThatThrownBy(() -> rules.require(new Attributes(user, verb, PODS), wish))
        .isInstanceOf(ApiException.class)
        .hasMessage(message);
  }

  private static Impersonation as(String name, String... groups) {
    return new Impersonation(name, "", List.of(groups), Map.of());
  }

  private static Impersonation extra(String key, String value) {
    return new Impersonation("ann", "", List.of(), Map.of(key, List.of(value)));
  }

  /** Keeps the modes of attempts, and of questions with their answers. */
  private final class Recorded implements RequestMetrics {
    @Override
    public void impersonated(String mode, Duration took) {
      recorded.add("attempt " + mode);
    }

    @Override
    public void impersonationChecked(String mode, boolean allowed, Duration took) {
      recorded.add(mode + " " + allowed);
    }

    @Override
    public Running begin(Exchange exchange) {
      throw new AssertionError("no request is measured");
    }

    @Override
    public void authenticated(String result, String user, Duration took) {
      throw new AssertionError("nobody is authenticated");
    }

    @Override
    public void certificate(Instant expiry) {
      throw new AssertionError("there are no certificates");
    }

    @Override
    public void decided(String result, Duration took) {
      throw new AssertionError("no request is authorized");
    }
  }

  private final class Listed implements Authorizer {
    @Override
    public Decision authorize(Attributes attributes) {
      Attributes.Resource target = (Attributes.Resource) attributes.target();
      boolean account = target.resource().equals("serviceaccounts");
      String question =
          "%s %s %s.%s %s"
              .formatted(
                  attributes.user().name(),
                  attributes.verb(),
                  target.combined(),
                  target.group(),
                  account ? target.namespace() + "/" + target.name() : target.name());
      asked.add(question);
      return allowed.contains(question) ? Decision.Allow.PLAIN : new Decision.NoOpinion("", "");
    }

    @Override
    public ResolvedRules rules(UserInfo user, String namespace) {
      throw new AssertionError("nobody asks for rules");
    }
  }
}
