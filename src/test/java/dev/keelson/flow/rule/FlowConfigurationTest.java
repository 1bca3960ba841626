package dev.keelson.flow.rule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.flow.rule.FlowSchema.Distinguisher;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.RequestInfoResolver;
import dev.keelson.request.UserInfo;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlowConfigurationTest {

  private static final String PODS = "/api/v1/namespaces/a/pods";

  private static UserInfo user(String name, String... groups) {
    return new UserInfo(name, "", List.of(groups), Map.of());
  }

  private static RequestInfo request(String method, String path) {
    return RequestInfoResolver.parse(method, path, Map.of());
  }

  private static FlowSchema schema(String name, long precedence, String level, MapNode... rules) {
    return FlowSchema.of(
        name,
        "uid-" + name,
        MapNode.of("priorityLevelConfiguration", MapNode.of("name", Node.text(level)))
            .with("matchingPrecedence", new Node.Int(precedence))
            .with("rules", new Node.Items(List.of(rules))));
  }

  private static MapNode rule(MapNode subject, String field, MapNode requests) {
    return MapNode.of("subjects", new Node.Items(List.of(subject)))
        .with(field, new Node.Items(List.of(requests)));
  }

  private static MapNode subject(String kind, String field, String... names) {
    MapNode who = MapNode.of("name", Node.text(names[0]));
    return MapNode.of("kind", Node.text(kind))
        .with(field, names.length == 1 ? who : who.with("namespace", Node.text(names[1])));
  }

  private static MapNode resources(String verbs, String groups, String resources, String spaces) {
    return MapNode.of("verbs", texts(verbs))
        .with("apiGroups", texts(groups))
        .with("resources", texts(resources))
        .with("namespaces", texts(spaces));
  }

  private static Node texts(String words) {
    return Node.texts(Arrays.asList(words.split(" ", -1)));
  }

  private static FlowConfiguration with(FlowSchema... schemas) {
    return FlowConfiguration.of(List.of(schemas), FlowConfiguration.defaults().levels().values());
  }

  @ParameterizedTest
  @CsvSource({
    "root, system:masters, GET, /api/v1/pods, exempt, exempt",
    "system:anonymous, system:unauthenticated, GET, /readyz, probes, exempt",
    "system:anonymous, system:unauthenticated, GET, /readyz/ping, probes, exempt",
    "ann, system:authenticated, GET, /metrics, global-default, global-default",
    "ann, system:authenticated, GET, /api/v1/pods, global-default, global-default",
    "system:kube-scheduler, system:authenticated, PUT,"
        + " /apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler,"
        + " system-leader-election, leader-election",
    "system:kube-controller-manager, system:authenticated, GET, /api/v1/nodes,"
        + " kube-controller-manager, workload-high",
    "system:node:n1, system:nodes, PATCH, /api/v1/nodes/n1/status, system-node-high, node-high",
    "system:node:n1, system:nodes, GET, /api/v1/namespaces/a/secrets/s, system-nodes, system",
    "system:serviceaccount:kube-system:x, system:serviceaccounts, GET, /api/v1/nodes,"
        + " kube-system-service-accounts, workload-high",
    "system:serviceaccount:kube-system2:x, system:serviceaccounts, GET, /api/v1/nodes,"
        + " service-accounts, workload-low",
    "nobody, '', GET, /api/v1/pods, catch-all, catch-all",
  })
  void requests_goWhereTheDefaultsSay(
      String name, String group, String method, String path, String schema, String level) {
    FlowSchema found =
        FlowConfiguration.defaults().classify(user(name, group), request(method, path));

    assertThat(found.name()).isEqualTo(schema);
    assertThat(found.level()).isEqualTo(level);
  }

  @Test
  void lowestPrecedenceCounts_thenTheName() {
    MapNode everything =
        rule(subject("User", "user", "*"), "resourceRules", resources("*", "*", "*", "*"));
    FlowConfiguration configuration =
        with(
            schema("z", 500, "system", everything),
            schema("b", 400, "system", everything),
            schema("a", 400, "system", everything));

    assertThat(configuration.schemas().stream().map(FlowSchema::name))
        .containsExactly("exempt", "a", "b", "z", "catch-all");
    assertThat(configuration.classify(user("ann"), request("GET", PODS)).name()).isEqualTo("a");
  }

  @Test
  void schemaOfMissingLevel_isLeftOut() {
    MapNode everything =
        rule(subject("User", "user", "*"), "resourceRules", resources("*", "*", "*", "*"));

    assertThat(with(schema("a", 400, "gone", everything)).schemas())
        .extracting(FlowSchema::name)
        .doesNotContain("a");
  }

  @Test
  void mandatoryObjects_areSupplied() {
    FlowConfiguration empty = FlowConfiguration.of(List.of(), List.of());

    assertThat(empty.levels()).containsOnlyKeys("exempt", "catch-all");
    assertThat(empty.levels().values())
        .containsExactlyInAnyOrder(
            new PriorityLevel("exempt", "", true, 0, 0, null, null),
            new PriorityLevel("catch-all", "", false, 5, 0, null, null));
    assertThat(empty.schemas()).extracting(FlowSchema::name).containsExactly("exempt", "catch-all");
  }

  @ParameterizedTest
  @CsvSource({
    "User, user, ann, '', true",
    "User, user, *, '', true",
    "User, user, bob, '', false",
    "Group, group, dev, '', true",
    "Group, group, *, '', true",
    "Group, group, ops, '', false",
    "ServiceAccount, serviceAccount, x, a, false",
    "Robot, user, ann, '', false",
    "User, group, ann, '', false",
  })
  void subjects(String kind, String field, String name, String namespace, boolean matches) {
    MapNode who =
        namespace.isEmpty() ? subject(kind, field, name) : subject(kind, field, name, namespace);
    FlowConfiguration configuration =
        with(schema("s", 50, "system", rule(who, "resourceRules", resources("*", "*", "*", "*"))));

    String found = configuration.classify(user("ann", "dev"), request("GET", PODS)).name();

    assertThat(found.equals("s")).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "*, *, *, *, GET, /api/v1/namespaces/a/pods, true",
    "list, '', pods, a b, GET, /api/v1/namespaces/a/pods, true",
    "get, '', pods, a, GET, /api/v1/namespaces/a/pods, false",
    "*, apps, pods, a, GET, /api/v1/namespaces/a/pods, false",
    "*, '', pods, b, GET, /api/v1/namespaces/a/pods, false",
    "*, '', pods, *, GET, /api/v1/pods, false",
    "*, '', pods, *, GET, /api/v1/namespaces/a/pods/p/log, false",
    "*, '', pods/log, *, GET, /api/v1/namespaces/a/pods/p/log, true",
  })
  void resourceRules(
      String verbs,
      String groups,
      String resources,
      String namespaces,
      String method,
      String path,
      boolean matches) {
    MapNode rule =
        rule(
            subject("User", "user", "*"),
            "resourceRules",
            resources(verbs, groups, resources, namespaces));

    String found =
        with(schema("s", 50, "system", rule)).classify(user("ann"), request(method, path)).name();

    assertThat(found.equals("s")).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({
    "*, /any, true",
    "/healthz, /healthz, true",
    "/healthz, /healthz/ping, true",
    "/healthz, /healthzz, false",
    "/healthz/*, /healthz/ping, true",
    "/healthz/*, /healthz, false",
    "/apis*, /apis/apps, true",
    "/apis*, /apisx, false",
  })
  void pathRules(String path, String asked, boolean matches) {
    MapNode rule =
        rule(
            subject("User", "user", "*"),
            "nonResourceRules",
            MapNode.of("verbs", texts("get")).with("nonResourceURLs", texts(path)));

    String found =
        with(schema("s", 50, "system", rule)).classify(user("ann"), request("GET", asked)).name();

    assertThat(found.equals("s")).isEqualTo(matches);
  }

  @Test
  void flows_areToldApartByTheDistinguisher() {
    Stream<FlowSchema> schemas =
        Stream.of(Distinguisher.values())
            .map(each -> new FlowSchema("s", "", "system", 1, each, List.of()));

    assertThat(schemas.map(each -> each.flowOf(user("ann"), request("GET", PODS))))
        .containsExactly("", "ann", "a");
  }

  @Test
  void onlyTheLevelExempt_mayBeExempt() {
    MapNode exempt = MapNode.of("type", Node.text("Exempt"));
    MapNode limited =
        MapNode.of("type", Node.text("Limited"))
            .with("limited", MapNode.of("limitResponse", MapNode.of("type", Node.text("Reject"))));

    assertThat(PriorityLevel.of("exempt", "", exempt)).isPresent();
    assertThat(PriorityLevel.of("other", "", exempt)).isEmpty();
    assertThat(PriorityLevel.of("exempt", "", limited)).isEmpty();
    assertThat(PriorityLevel.of("other", "", limited))
        .contains(new PriorityLevel("other", "", false, 30, 0, null, null));
  }
}
