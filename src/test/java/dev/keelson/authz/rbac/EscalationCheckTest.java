package dev.keelson.authz.rbac;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.ResolvedRules;
import dev.keelson.authz.UnionAuthorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.UserInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EscalationCheckTest {

  private static final UserInfo ALICE = user("alice", "devs");
  private static final UserInfo ROOT = user("root", "system:masters");

  private final RbacAuthorizer roles =
      new RbacAuthorizer(
          new FixedRoles(
              List.of(
                  "clusterrole pods",
                  "  rule get,list core pods,*/scale",
                  "clusterrole secrets",
                  "  rule get core secrets",
                  "clusterbinding pods pods User:alice",
                  "clusterrole bind-secrets",
                  "  rule bind rbac.authorization.k8s.io clusterroles secrets",
                  "clusterbinding bind bind-secrets User:binder",
                  "clusterrole escalate",
                  "  rule escalate rbac.authorization.k8s.io clusterroles",
                  "clusterbinding escalate escalate User:climber",
                  "clusterrole escalate-x",
                  "  rule escalate rbac.authorization.k8s.io clusterroles x",
                  "clusterbinding escalate-x escalate-x User:named")));
  private final EscalationCheck check =
      new EscalationCheck(new UnionAuthorizer(List.of(roles)), roles);

  @Test
  void roleWithinWhatOneHas_isTaken() {
    assertThatCode(
            () -> check("clusterroles", ALICE, "  rule get core pods,deployments/scale", null))
        .doesNotThrowAnyException();
  }

  @Test
  void roleBeyondWhatOneHas_isRefusedWithWhatIsMissing() {
    assertThatThrownBy(
            () -> check("clusterroles", ALICE, "  rule get,delete,create core pods", null))
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.reason()).isEqualTo(Reason.FORBIDDEN))
        .hasMessage(
            """
            clusterroles.rbac.authorization.k8s.io "x" is forbidden: user "alice" (groups=["devs"]) \
            is attempting to grant RBAC permissions not currently held:
            {APIGroups:[""], Resources:["pods"], Verbs:["delete" "create"]}\
            """);
  }

  @Test
  void everything_isRefusedForPathsToo() {
    assertThatThrownBy(() -> check("clusterroles", ALICE, "  path * *", null))
        .hasMessageEndingWith("{NonResourceURLs:[\"*\"], Verbs:[\"*\"]}");
  }

  @Test
  void aggregation_needsEverything() {
    assertThatThrownBy(() -> check("clusterroles", ALICE, "  aggregate a=b", null))
        .hasMessageEndingWith("must have cluster-admin privileges to use the aggregationRule");
    assertThatCode(() -> check("clusterroles", ROOT, "  aggregate a=b", null))
        .doesNotThrowAnyException();
  }

  @Test
  void updateThatChangesNothing_orWhatGarbageCollectionNeeds_isTaken() {
    ApiObject beyond = role("  rule * * *");
    ApiObject released = beyond.withMeta(beyond.meta().with("finalizers", Node.texts(List.of())));

    assertThatCode(() -> check.check("clusterroles", "x", ALICE, beyond, beyond))
        .doesNotThrowAnyException();
    assertThatCode(() -> check.check("clusterroles", "x", ALICE, released, beyond))
        .doesNotThrowAnyException();
  }

  @Test
  void updateOfALabel_makesTheRolePartOfAnother_andIsRefused() {
    ApiObject beyond = role("  rule * * *");
    ApiObject labelled =
        beyond.withMeta(
            beyond
                .meta()
                .with(
                    "labels",
                    MapNode.ofTexts(
                        Map.of("rbac.authorization.k8s.io/aggregate-to-view", "true"))));

    assertThatThrownBy(() -> check.check("clusterroles", "x", ALICE, labelled, beyond))
        .hasMessageContaining("is attempting to grant RBAC permissions not currently held");
  }

  @Test
  void updateOfAnAggregatedRole_needsEverything_evenToEndIt() {
    ApiObject aggregated = role("  aggregate a=b");
    ApiObject ended = role("  rule get core pods");

    assertThatThrownBy(() -> check.check("clusterroles", "x", ALICE, ended, aggregated))
        .hasMessageEndingWith("must have cluster-admin privileges to use the aggregationRule");
  }

  @Test
  void escalate_allowsWhatOneDoesNotHave() {
    assertThatCode(() -> check("clusterroles", user("climber", "x"), "  rule * * *", null))
        .doesNotThrowAnyException();
  }

  @Test
  void escalateOfAName_isForTheNameInThePath() {
    UserInfo named = user("named", "x");

    assertThatThrownBy(() -> check("clusterroles", named, "  rule * * *", null))
        .as("a POST names nothing in its path")
        .isInstanceOf(ApiException.class);
    assertThatCode(() -> check.check("clusterroles", "x", named, role("  rule * * *"), null))
        .as("an apply that creates the role names it")
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> check.check("clusterroles", "y", named, role("  rule * * *"), null))
        .isInstanceOf(ApiException.class);
  }

  @Test
  void questions_areOfEveryVersion() {
    List<Attributes> asked = new ArrayList<>();
    Authorizer all =
        new Authorizer() {
          @Override
          public Decision authorize(Attributes attributes) {
            asked.add(attributes);
            return Decision.Allow.PLAIN;
          }

          @Override
          public ResolvedRules rules(UserInfo user, String namespace) {
            return ResolvedRules.NONE;
          }
        };

    new EscalationCheck(all, roles).check("clusterroles", "x", ALICE, role("  rule * * *"), null);
    new EscalationCheck(all, roles)
        .check("clusterrolebindings", "", ALICE, binding("clusterbinding b secrets User:x"), null);

    assertThat(asked)
        .extracting(Attributes::verb, one -> ((Attributes.Resource) one.target()).version())
        .containsExactly(tuple("escalate", "*"), tuple("bind", "*"));
  }

  @Test
  void binding_needsTheRoleOrTheRightToBindIt() {
    ApiObject secrets = binding("clusterbinding b secrets User:x");

    assertThatThrownBy(() -> check.check("clusterrolebindings", "", ALICE, secrets, null))
        .hasMessageStartingWith(
            "clusterrolebindings.rbac.authorization.k8s.io \"b\" is forbidden: user \"alice\"");
    assertThatCode(() -> check.check("clusterrolebindings", "", user("binder", "x"), secrets, null))
        .doesNotThrowAnyException();
    assertThatCode(
            () ->
                check.check(
                    "clusterrolebindings",
                    "",
                    ALICE,
                    binding("clusterbinding b pods User:x"),
                    null))
        .doesNotThrowAnyException();
  }

  @Test
  void bindingOfAMissingRole_isNotFound() {
    assertThatThrownBy(
            () ->
                check.check(
                    "clusterrolebindings",
                    "",
                    ALICE,
                    binding("clusterbinding b gone User:x"),
                    null))
        .hasMessage("clusterroles.rbac.authorization.k8s.io \"gone\" not found");
  }

  private void check(String resource, UserInfo user, String rule, @Nullable String before) {
    check.check(resource, "", user, role(rule), before == null ? null : role(before));
  }

  private static ApiObject role(String rule) {
    return DefaultRoles.parse(List.of("clusterrole x", rule)).getFirst().object();
  }

  private static ApiObject binding(String line) {
    return DefaultRoles.parse(List.of(line)).getFirst().object();
  }

  private static UserInfo user(String name, String group) {
    return new UserInfo(name, "", List.of(group), Map.of());
  }
}
