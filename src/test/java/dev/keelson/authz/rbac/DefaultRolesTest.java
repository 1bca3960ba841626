package dev.keelson.authz.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.rbac.RoleSource.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a start does to the default roles, and how aggregated ones follow their parts. */
class DefaultRolesTest {

  private static final PolicyRule OWN =
      new PolicyRule(List.of("get"), List.of("x.example"), List.of("ys"), List.of(), List.of());

  private static final String AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";

  private final RolesInMemory store = new RolesInMemory();
  private final RbacAuthorizer roles = new RbacAuthorizer(store);
  private final ClusterRoleAggregation aggregation = new ClusterRoleAggregation(roles, store);
  private List<DefaultRoles.Default> defaults = List.of();

  @BeforeEach
  void first() throws IOException {
    defaults = parsed("/keelson/default-roles.txt");
    start();
  }

  private static List<DefaultRoles.Default> parsed(String resource) throws IOException {
    try (InputStream in = DefaultRoles.class.getResourceAsStream(resource)) {
      assertThat(in).isNotNull();
      return DefaultRoles.parse(
          new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList());
    }
  }

  @Test
  void objectsOfOtherDistributions_areNoDefaults_andAreRemovedUnlessTheyWereChanged()
      throws IOException {
    List<DefaultRoles.Default> retired = parsed("/keelson/retired-roles.txt");
    DefaultRoles roles = new DefaultRoles(store);
    retired.forEach(roles::ensure);
    String changed = "system:openshift:public-info-viewer";
    ApiObject role = store.get(Kind.CLUSTER_ROLE, changed);
    store.put(Kind.CLUSTER_ROLE, role.with("rules", RuleEvaluation.items(List.of(OWN))));

    retired.forEach(roles::retire);

    assertThat(retired).hasSize(4).doesNotContainAnyElementsOf(defaults);
    assertThat(store.writes())
        .filteredOn(write -> write.startsWith("delete "))
        .containsExactlyInAnyOrder(
            "delete system:controller:service-ca-cert-publisher",
            "delete system:controller:service-ca-cert-publisher",
            "delete " + changed);
    assertThat(RuleEvaluation.of(store.get(Kind.CLUSTER_ROLE, changed).root()))
        .containsExactly(OWN);
  }

  private void start() {
    DefaultRoles kept = new DefaultRoles(store);
    defaults.forEach(kept::ensure);
    aggregation.run();
  }

  @Test
  void secondStart_writesNothing() {
    assertThat(store.writes()).hasSizeGreaterThan(defaults.size() - 1);

    start();

    assertThat(store.writes()).isEmpty();
  }

  @Test
  void whatIsMissing_isAdded_andWhatWasAdded_stays() {
    store.put(
        Kind.CLUSTER_ROLE,
        store
            .get(Kind.CLUSTER_ROLE, "system:node-proxier")
            .with("rules", RuleEvaluation.items(List.of(OWN))));
    List<String> first = store.writes();

    start();

    assertThat(first).isNotEmpty();
    assertThat(store.writes()).containsExactly("change system:node-proxier");
    List<PolicyRule> held =
        RuleEvaluation.of(store.get(Kind.CLUSTER_ROLE, "system:node-proxier").root());
    assertThat(held).contains(OWN).hasSizeGreaterThan(1);
    start();
    assertThat(store.writes()).isEmpty();
  }

  @Test
  void subjects_areAdded_andOthersStay() {
    ApiObject binding = store.get(Kind.CLUSTER_ROLE_BINDING, "cluster-admin");
    Node wanted = binding.root().items("subjects").getFirst();
    Node own = MapNode.of("kind", Node.text("User")).with("name", Node.text("ann"));
    store.put(Kind.CLUSTER_ROLE_BINDING, binding.with("subjects", new Node.Items(List.of(own))));

    start();

    assertThat(store.get(Kind.CLUSTER_ROLE_BINDING, "cluster-admin").root().items("subjects"))
        .containsExactly(own, wanted);
  }

  @Test
  void labelsAndAnnotationsOfAdministrators_stay_andMissingOnesAreAdded() {
    ApiObject role = store.get(Kind.CLUSTER_ROLE, "system:aggregate-to-view");
    String aggregated = "rbac.authorization.k8s.io/aggregate-to-view";
    store.put(
        Kind.CLUSTER_ROLE,
        role.withMeta(
            role.meta()
                .with("labels", MapNode.ofTexts(Map.of(aggregated, "false", "own", "1")))
                .with("annotations", MapNode.ofTexts(Map.of(AUTOUPDATE, "yes")))));

    start();

    ApiObject kept = store.get(Kind.CLUSTER_ROLE, "system:aggregate-to-view");
    assertThat(kept.meta().labels())
        .containsOnly(
            Map.entry(aggregated, "false"),
            Map.entry("own", "1"),
            Map.entry("kubernetes.io/bootstrapping", "rbac-defaults"));
    assertThat(kept.meta().annotations()).containsOnly(Map.entry(AUTOUPDATE, "yes"));
  }

  @Test
  void selectorsThatAreMissing_areAdded_andThoseOfADefaultWithoutAreRemoved() {
    ApiObject view = store.get(Kind.CLUSTER_ROLE, "view");
    ApiObject proxier = store.get(Kind.CLUSTER_ROLE, "system:node-proxier");
    MapNode own = MapNode.of("matchLabels", MapNode.ofTexts(Map.of("own", "1")));
    store.put(Kind.CLUSTER_ROLE, view.with("aggregationRule", selecting(own)));
    store.put(Kind.CLUSTER_ROLE, proxier.with("aggregationRule", selecting(own)));

    start();

    MapNode wanted =
        MapNode.of(
            "matchLabels",
            MapNode.ofTexts(Map.of("rbac.authorization.k8s.io/aggregate-to-view", "true")));
    assertThat(store.get(Kind.CLUSTER_ROLE, "view").root().map("aggregationRule"))
        .isEqualTo(selecting(own, wanted));
    assertThat(store.get(Kind.CLUSTER_ROLE, "system:node-proxier")).isEqualTo(proxier);
  }

  private static MapNode selecting(MapNode... selectors) {
    return MapNode.of("clusterRoleSelectors", new Node.Items(List.of(selectors)));
  }

  @Test
  void bindingThatWasPartOfAnother_inheritsFromIt() {
    ApiObject discovery = store.get(Kind.CLUSTER_ROLE_BINDING, "system:discovery");
    ApiObject former =
        discovery.withMeta(
            discovery
                .meta()
                .with(
                    "annotations",
                    MapNode.ofTexts(Map.of(AUTOUPDATE, "false", "upgrade", "kept"))));
    store.put(Kind.CLUSTER_ROLE_BINDING, former);
    store.delete(Kind.CLUSTER_ROLE_BINDING, "", "system:public-info-viewer");

    start();

    ApiObject viewer = store.get(Kind.CLUSTER_ROLE_BINDING, "system:public-info-viewer");
    assertThat(viewer.meta().annotations()).isEqualTo(former.meta().annotations());
    assertThat(viewer.root().items("subjects")).isEqualTo(former.root().items("subjects"));
    assertThat(viewer.root().map("roleRef").text("name")).isEqualTo("system:public-info-viewer");
    assertThat(store.get(Kind.CLUSTER_ROLE_BINDING, "system:discovery")).isEqualTo(former);
  }

  @Test
  void bindingThatWasPartOfAnother_isCompletedUnlessThatIsProtected() {
    store.delete(Kind.CLUSTER_ROLE_BINDING, "", "system:public-info-viewer");

    start();

    assertThat(
            store
                .get(Kind.CLUSTER_ROLE_BINDING, "system:public-info-viewer")
                .root()
                .maps("subjects"))
        .extracting(subject -> subject.text("name"))
        .containsExactly("system:authenticated", "system:unauthenticated");
  }

  @Test
  void bindingOfAnotherRole_isMadeAnew() {
    ApiObject binding = store.get(Kind.CLUSTER_ROLE_BINDING, "cluster-admin");
    store.put(Kind.CLUSTER_ROLE_BINDING, bindingTo(binding, "view"));
    List<String> first = store.writes();

    start();

    assertThat(first).isNotEmpty();
    assertThat(store.writes()).containsExactly("delete cluster-admin", "create cluster-admin");
    assertThat(store.get(Kind.CLUSTER_ROLE_BINDING, "cluster-admin")).isEqualTo(binding);
  }

  @Test
  void autoupdateFalse_keepsWhatAdministratorsMade() {
    ApiObject role =
        kept(
            store
                .get(Kind.CLUSTER_ROLE, "system:node-proxier")
                .with("rules", RuleEvaluation.items(List.of(OWN))));
    ApiObject empty =
        kept(
            store
                .get(Kind.CLUSTER_ROLE_BINDING, "system:discovery")
                .with("subjects", new Node.Items(List.of())));
    ApiObject rebound =
        kept(bindingTo(store.get(Kind.CLUSTER_ROLE_BINDING, "cluster-admin"), "view"));
    store.put(Kind.CLUSTER_ROLE, role);
    store.put(Kind.CLUSTER_ROLE_BINDING, empty);
    store.put(Kind.CLUSTER_ROLE_BINDING, rebound);
    assertThat(store.writes()).isNotEmpty();

    start();

    assertThat(store.writes()).isEmpty();
    assertThat(store.get(Kind.CLUSTER_ROLE, "system:node-proxier")).isEqualTo(role);
    assertThat(store.get(Kind.CLUSTER_ROLE_BINDING, "system:discovery")).isEqualTo(empty);
    assertThat(store.get(Kind.CLUSTER_ROLE_BINDING, "cluster-admin")).isEqualTo(rebound);
  }

  @Test
  void aggregatedRole_followsItsParts() {
    ApiObject part =
        DefaultRoles.parse(
                List.of(
                    "clusterrole part rbac.authorization.k8s.io/aggregate-to-view=true",
                    "  rule get x.example ys"))
            .getFirst()
            .object();
    assertThat(store.writes()).isNotEmpty();

    store.put(Kind.CLUSTER_ROLE, part);
    aggregation.run();
    assertThat(rules("view")).contains(OWN);
    // the parts of edit come from view, and those of admin from edit
    assertThat(rules("edit")).contains(OWN);
    assertThat(rules("admin")).contains(OWN);
    assertThat(store.writes()).isNotEmpty();
    aggregation.run();
    assertThat(store.writes()).as("a run that finds all as it should be").isEmpty();

    store.put(
        Kind.CLUSTER_ROLE,
        part.withMeta(part.meta().with("labels", MapNode.ofTexts(Map.of("other", "true")))));
    aggregation.run();
    assertThat(rules("view")).doesNotContain(OWN);

    store.put(Kind.CLUSTER_ROLE, part);
    aggregation.run();
    assertThat(rules("view")).contains(OWN);
    store.delete(Kind.CLUSTER_ROLE, "", "part");
    aggregation.run();
    assertThat(rules("view")).doesNotContain(OWN);
    assertThat(rules("admin")).doesNotContain(OWN);
  }

  private List<PolicyRule> rules(String role) {
    return RuleEvaluation.of(store.get(Kind.CLUSTER_ROLE, role).root());
  }

  private static ApiObject bindingTo(ApiObject binding, String role) {
    return binding.with("roleRef", binding.root().map("roleRef").with("name", Node.text(role)));
  }

  private static ApiObject kept(ApiObject object) {
    return object.withMeta(
        object.meta().with("annotations", MapNode.of(AUTOUPDATE, Node.text("false"))));
  }
}
