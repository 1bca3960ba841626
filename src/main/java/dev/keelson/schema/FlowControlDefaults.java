package dev.keelson.schema;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The flow schemas and priority levels that every cluster has: the specs of mandatory ones are
 * fixed, those of suggested ones can be changed (source: the bootstrap configuration of
 * Kubernetes). Specs have all their defaults.
 */
public final class FlowControlDefaults {

  private static final String EXEMPT = "exempt";
  private static final String CATCH_ALL = "catch-all";
  private static final Node ALL = Node.texts(List.of("*"));
  private static final List<Node> EVERYONE =
      List.of(group("system:unauthenticated"), group("system:authenticated"));
  private static final Node LEASES = Node.texts(List.of("leases"));
  private static final Node COORDINATION = Node.texts(List.of("coordination.k8s.io"));
  private static final Node CORE = Node.texts(List.of(""));
  private static final Node ELECTION_VERBS = Node.texts(List.of("get", "create", "update"));
  private static final Node ELECTION_OBJECTS = Node.texts(List.of("endpoints", "configmaps"));

  /** One of the objects. */
  public record Default(String name, boolean mandatory, MapNode spec) {}

  private FlowControlDefaults() {}

  /** The priority levels. */
  public static List<Default> priorityLevels() {
    return List.of(
        new Default(EXEMPT, true, exemptLevel()),
        new Default(CATCH_ALL, true, limited(5, 0, MapNode.of("type", Node.text("Reject")))),
        new Default("system", false, limited(30, 33, queue(64, 6))),
        new Default("node-high", false, limited(40, 25, queue(64, 6))),
        new Default("leader-election", false, limited(10, 0, queue(16, 4))),
        new Default("workload-high", false, limited(40, 50, queue(128, 6))),
        new Default("workload-low", false, limited(100, 90, queue(128, 6))),
        new Default("global-default", false, limited(20, 50, queue(128, 6))));
  }

  /** The flow schemas. */
  public static List<Default> flowSchemas() {
    List<Default> all = new ArrayList<>();
    all.add(
        new Default(
            EXEMPT, true, schema(EXEMPT, 1, null, anything(List.of(group("system:masters"))))));
    all.add(new Default(CATCH_ALL, true, schema(CATCH_ALL, 10_000, "ByUser", anything(EVERYONE))));
    suggest(
        all,
        "probes",
        schema(
            EXEMPT,
            2,
            null,
            rule(EVERYONE, List.of(), List.of(paths("get", "/healthz", "/readyz", "/livez")))));
    suggest(all, "system-leader-election", schema("leader-election", 100, "ByUser", electors()));
    suggest(all, "endpoint-controller", schema("workload-high", 150, "ByUser", endpoints()));
    suggest(
        all,
        "workload-leader-election",
        schema(
            "leader-election",
            200,
            "ByUser",
            rule(
                List.of(account("*")),
                List.of(
                    resources(ELECTION_VERBS, CORE, ELECTION_OBJECTS, false),
                    resources(ELECTION_VERBS, COORDINATION, LEASES, false)),
                List.of())));
    suggest(all, "system-node-high", schema("node-high", 400, "ByUser", nodes()));
    suggest(
        all,
        "system-nodes",
        schema("system", 500, "ByUser", anything(List.of(group("system:nodes")))));
    for (String program : List.of("kube-controller-manager", "kube-scheduler")) {
      suggest(
          all,
          program,
          schema(
              "workload-high", 800, "ByNamespace", anything(List.of(user("system:" + program)))));
    }
    suggest(
        all,
        "kube-system-service-accounts",
        schema("workload-high", 900, "ByNamespace", anything(List.of(account("*")))));
    suggest(
        all,
        "service-accounts",
        schema("workload-low", 9000, "ByUser", anything(List.of(group("system:serviceaccounts")))));
    suggest(all, "global-default", schema("global-default", 9900, "ByUser", anything(EVERYONE)));
    return all;
  }

  /** The spec of the mandatory object {@code name}; null if it is not mandatory. */
  public static @Nullable MapNode mandatory(List<Default> defaults, String name) {
    for (Default each : defaults) {
      if (each.mandatory && each.name.equals(name)) {
        return each.spec;
      }
    }
    return null;
  }

  private static void suggest(List<Default> all, String name, MapNode spec) {
    all.add(new Default(name, false, spec));
  }

  private static MapNode exemptLevel() {
    return MapNode.of("type", Node.text("Exempt"))
        .with("exempt", numbers("nominalConcurrencyShares", 0, "lendablePercent", 0));
  }

  private static MapNode limited(int shares, int lendable, MapNode response) {
    return MapNode.of("type", Node.text("Limited"))
        .with(
            "limited",
            numbers("nominalConcurrencyShares", shares, "lendablePercent", lendable)
                .with("limitResponse", response));
  }

  private static MapNode queue(int queues, int hand) {
    return MapNode.of("type", Node.text("Queue"))
        .with(
            "queuing",
            numbers("queues", queues, "handSize", hand).with("queueLengthLimit", new Node.Int(50)));
  }

  private static MapNode numbers(String first, int one, String second, int two) {
    return MapNode.of(first, new Node.Int(one)).with(second, new Node.Int(two));
  }

  private static MapNode schema(
      String level, int precedence, @Nullable String distinguished, MapNode rule) {
    MapNode spec =
        MapNode.of("priorityLevelConfiguration", MapNode.of("name", Node.text(level)))
            .with("matchingPrecedence", new Node.Int(precedence))
            .with("rules", new Node.Items(List.of(rule)));
    return distinguished == null
        ? spec
        : spec.with("distinguisherMethod", MapNode.of("type", Node.text(distinguished)));
  }

  private static MapNode electors() {
    return rule(
        List.of(
            user("system:kube-controller-manager"), user("system:kube-scheduler"), account("*")),
        List.of(resources(ELECTION_VERBS, COORDINATION, LEASES, false)),
        List.of());
  }

  private static MapNode endpoints() {
    return rule(
        List.of(
            user("system:kube-controller-manager"),
            account("endpoint-controller"),
            account("endpointslicemirroring-controller")),
        List.of(resources(ELECTION_VERBS, CORE, Node.texts(List.of("endpoints")), false)),
        List.of());
  }

  private static MapNode nodes() {
    return rule(
        List.of(group("system:nodes")),
        List.of(
            resources(ALL, CORE, Node.texts(List.of("nodes", "nodes/status")), true),
            resources(ALL, COORDINATION, LEASES, false)),
        List.of());
  }

  private static MapNode anything(List<Node> subjects) {
    return rule(subjects, List.of(resources(ALL, ALL, ALL, true)), List.of(paths("*", "*")));
  }

  private static MapNode rule(List<Node> subjects, List<Node> resources, List<Node> paths) {
    MapNode rule = MapNode.of("subjects", new Node.Items(subjects));
    if (!resources.isEmpty()) {
      rule = rule.with("resourceRules", new Node.Items(resources));
    }
    return paths.isEmpty() ? rule : rule.with("nonResourceRules", new Node.Items(paths));
  }

  private static MapNode resources(Node verbs, Node groups, Node resources, boolean clusterScope) {
    MapNode rule =
        MapNode.of("verbs", verbs)
            .with("apiGroups", groups)
            .with("resources", resources)
            .with("namespaces", ALL);
    return clusterScope ? rule.with("clusterScope", Node.Bool.TRUE) : rule;
  }

  private static MapNode paths(String verb, String... paths) {
    return MapNode.of("verbs", Node.texts(List.of(verb)))
        .with("nonResourceURLs", Node.texts(List.of(paths)));
  }

  private static MapNode group(String name) {
    return subject("Group", "group", MapNode.of("name", Node.text(name)));
  }

  private static MapNode user(String name) {
    return subject("User", "user", MapNode.of("name", Node.text(name)));
  }

  private static MapNode account(String name) {
    return subject(
        "ServiceAccount",
        "serviceAccount",
        MapNode.of("namespace", Node.text("kube-system")).with("name", Node.text(name)));
  }

  private static MapNode subject(String kind, String field, MapNode who) {
    return MapNode.of("kind", Node.text(kind)).with(field, who);
  }
}
