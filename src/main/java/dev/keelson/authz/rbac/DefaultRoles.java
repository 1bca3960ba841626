package dev.keelson.authz.rbac;

import dev.keelson.authz.Attributes;
import dev.keelson.authz.PolicyRule;
import dev.keelson.authz.rbac.RoleSource.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reconciles the default roles and bindings (kube-apiserver's bootstrappolicy). Missing objects,
 * rules, selectors, subjects, labels and annotations are added at every start; what administrators
 * added or set remains. Objects with the annotation {@code autoupdate: "false"} are skipped.
 */
public final class DefaultRoles {

  private static final String AUTOUPDATE = "rbac.authorization.kubernetes.io/autoupdate";
  private static final Map<String, String> LABEL =
      Map.of("kubernetes.io/bootstrapping", "rbac-defaults");

  /** Cluster role bindings that were part of another one in former releases, by name. */
  private static final Map<String, String> SPLIT_FROM =
      Map.of("system:public-info-viewer", "system:discovery");

  private final RoleStore store;

  /** A default role or binding. */
  public record Default(Kind kind, ApiObject object) {}

  public DefaultRoles(RoleStore store) {
    this.store = store;
  }

  /** Returns a predicate of the requests that a default cluster role allows. */
  public static Predicate<Attributes> allowedBy(List<Default> defaults, String clusterRole) {
    for (Default one : defaults) {
      if (one.kind == Kind.CLUSTER_ROLE && one.object.meta().name().equals(clusterRole)) {
        List<PolicyRule> rules = RuleEvaluation.of(one.object.root());
        return asked -> rules.stream().anyMatch(rule -> RuleEvaluation.allows(rule, asked));
      }
    }
    throw new IllegalArgumentException("no default role " + clusterRole);
  }

  /** Creates or reconciles one object; throws what the store throws. */
  public void ensure(Default wanted) {
    String namespace = wanted.object.meta().namespace();
    String name = wanted.object.meta().name();
    Optional<ApiObject> current = store.get(wanted.kind, namespace, name);
    if (current.isEmpty()) {
      store.create(wanted.kind, namespace, completed(inherited(wanted), wanted.object));
      return;
    }
    if (rebinds(current.get(), wanted.object)) {
      store.delete(wanted.kind, namespace, name);
      store.create(wanted.kind, namespace, wanted.object);
      return;
    }
    if (!completed(current.get(), wanted.object).equals(current.get())) {
      store.change(wanted.kind, namespace, name, found -> completed(found, wanted.object));
    }
  }

  /**
   * The default as it is created. A binding that was part of another one takes over the subjects,
   * labels and annotations of that, so that a user who was kept from something still is (source:
   * {@code primeSplitClusterRoleBindings}).
   */
  private ApiObject inherited(Default wanted) {
    String former =
        wanted.kind == Kind.CLUSTER_ROLE_BINDING
            ? SPLIT_FROM.get(wanted.object.meta().name())
            : null;
    Optional<ApiObject> source =
        former == null ? Optional.empty() : store.get(wanted.kind, "", former);
    return source
        .map(
            from ->
                wanted
                    .object
                    .with("subjects", new Node.Items(from.root().items("subjects")))
                    .withMeta(
                        wanted
                            .object
                            .meta()
                            .with("labels", from.meta().node().map("labels"))
                            .with("annotations", from.meta().node().map("annotations"))))
        .orElse(wanted.object);
  }

  /**
   * Deletes an object that an older version created by default, unless it has been changed; throws
   * what the store throws.
   */
  public void retire(Default former) {
    String namespace = former.object.meta().namespace();
    String name = former.object.meta().name();
    Optional<ApiObject> current = store.get(former.kind, namespace, name);
    if (current.isPresent() && isUntouched(current.get(), former.object)) {
      store.delete(former.kind, namespace, name);
    }
  }

  private static boolean isUntouched(ApiObject current, ApiObject former) {
    return current.meta().labels().equals(former.meta().labels())
        && current.meta().annotations().equals(former.meta().annotations())
        && RuleEvaluation.of(current.root()).equals(RuleEvaluation.of(former.root()))
        && current.root().map("roleRef").equals(former.root().map("roleRef"))
        && current.root().items("subjects").equals(former.root().items("subjects"));
  }

  private static boolean rebinds(ApiObject current, ApiObject wanted) {
    return !isProtected(current)
        && wanted.root().has("roleRef")
        && !current.root().map("roleRef").equals(wanted.root().map("roleRef"));
  }

  private static boolean isProtected(ApiObject object) {
    return "false".equals(object.meta().annotations().get(AUTOUPDATE));
  }

  private static ApiObject completed(ApiObject current, ApiObject wanted) {
    if (isProtected(current)) {
      return current;
    }
    ApiObject next =
        current.withMeta(
            current
                .meta()
                .with("labels", joined(current, wanted, "labels"))
                .with("annotations", joined(current, wanted, "annotations")));
    if (wanted.root().has("roleRef")) {
      List<Node> subjects = new ArrayList<>(current.root().items("subjects"));
      for (Node subject : wanted.root().items("subjects")) {
        if (!subjects.contains(subject)) {
          subjects.add(subject);
        }
      }
      return subjects.equals(current.root().items("subjects"))
          ? next
          : next.with("subjects", new Node.Items(subjects));
    }
    return withRules(withSelectors(next, wanted), wanted);
  }

  private static ApiObject withRules(ApiObject role, ApiObject wanted) {
    List<PolicyRule> held = new ArrayList<>(RuleEvaluation.of(role.root()));
    List<PolicyRule> missing = RuleCoverage.missing(held, RuleEvaluation.of(wanted.root()));
    if (missing.isEmpty()) {
      return role;
    }
    held.addAll(missing);
    return role.with("rules", RuleEvaluation.items(held));
  }

  /** Adds missing selectors; a default that is no aggregated role does not become one. */
  private static ApiObject withSelectors(ApiObject role, ApiObject wanted) {
    if (!wanted.root().has("aggregationRule")) {
      return role.root().has("aggregationRule") ? role.without("aggregationRule") : role;
    }
    MapNode rule = role.root().map("aggregationRule");
    List<Node> selectors = new ArrayList<>(rule.items("clusterRoleSelectors"));
    for (Node selector : wanted.root().map("aggregationRule").items("clusterRoleSelectors")) {
      if (!selectors.contains(selector)) {
        selectors.add(selector);
      }
    }
    return selectors.equals(rule.items("clusterRoleSelectors"))
        ? role
        : role.with(
            "aggregationRule", rule.with("clusterRoleSelectors", new Node.Items(selectors)));
  }

  private static MapNode joined(ApiObject current, ApiObject wanted, String part) {
    MapNode all = current.meta().node().map(part);
    MapNode more = wanted.meta().node().map(part);
    for (String key : more.keys()) {
      if (!all.has(key)) {
        all = all.with(key, Node.text(more.text(key)));
      }
    }
    return all;
  }

  /** Parses the list of defaults; its first lines describe the format. */
  public static List<Default> parse(List<String> lines) {
    List<Default> defaults = new ArrayList<>();
    Draft draft = null;
    for (String line : lines) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      List<String> words = Arrays.asList(line.strip().split(" "));
      if (line.startsWith(" ")) {
        if (draft == null) {
          throw new IllegalArgumentException("rule without a role: " + line);
        }
        draft.add(words);
        continue;
      }
      if (draft != null) {
        defaults.add(draft.done());
        draft = null;
      }
      switch (words.getFirst()) {
        case "clusterrole" ->
            draft = new Draft(Kind.CLUSTER_ROLE, "", words.get(1), words.subList(2, words.size()));
        case "role" ->
            draft =
                new Draft(Kind.ROLE, words.get(1), words.get(2), words.subList(3, words.size()));
        case "clusterbinding" ->
            defaults.add(
                binding(
                    "",
                    words.get(1),
                    "ClusterRole:" + words.get(2),
                    words.subList(3, words.size())));
        case "binding" ->
            defaults.add(
                binding(words.get(1), words.get(2), words.get(3), words.subList(4, words.size())));
        default -> throw new IllegalArgumentException("unknown keyword in: " + line);
      }
    }
    if (draft != null) {
      defaults.add(draft.done());
    }
    return defaults;
  }

  /** A role under construction. */
  private static final class Draft {
    private final Kind kind;
    private final MapNode meta;
    private final List<PolicyRule> rules = new ArrayList<>();
    private final List<Node> selectors = new ArrayList<>();

    Draft(Kind kind, String namespace, String name, List<String> labels) {
      this.kind = kind;
      this.meta = meta(namespace, name, labels);
    }

    void add(List<String> words) {
      switch (words.getFirst()) {
        case "rule" ->
            rules.add(
                new PolicyRule(
                    list(words.get(1)),
                    list(words.get(2)).stream().map(g -> g.equals("core") ? "" : g).toList(),
                    list(words.get(3)),
                    words.size() > 4 ? list(words.get(4)) : List.of(),
                    List.of()));
        case "path" ->
            rules.add(
                new PolicyRule(
                    list(words.get(1)), List.of(), List.of(), List.of(), list(words.get(2))));
        case "aggregate" ->
            selectors.add(MapNode.of("matchLabels", pairs(words.subList(1, words.size()))));
        default -> throw new IllegalArgumentException("unknown keyword " + words.getFirst());
      }
    }

    Default done() {
      MapNode root = MapNode.of("metadata", meta);
      if (!selectors.isEmpty()) {
        root =
            root.with(
                "aggregationRule", MapNode.of("clusterRoleSelectors", new Node.Items(selectors)));
      }
      if (!rules.isEmpty()) {
        root = root.with("rules", RuleEvaluation.items(rules));
      }
      return new Default(kind, new ApiObject(root));
    }
  }

  private static Default binding(
      String namespace, String name, String role, List<String> subjects) {
    int colon = role.indexOf(':');
    MapNode roleRef =
        MapNode.of("apiGroup", Node.text(EscalationCheck.GROUP))
            .with("kind", Node.text(role.substring(0, colon)))
            .with("name", Node.text(role.substring(colon + 1)));
    MapNode root =
        MapNode.of("metadata", meta(namespace, name, List.of())).with("roleRef", roleRef);
    if (!subjects.isEmpty()) {
      root =
          root.with(
              "subjects",
              new Node.Items(subjects.stream().<Node>map(DefaultRoles::subject).toList()));
    }
    return new Default(
        namespace.isEmpty() ? Kind.CLUSTER_ROLE_BINDING : Kind.ROLE_BINDING, new ApiObject(root));
  }

  private static MapNode subject(String text) {
    int colon = text.indexOf(':');
    String kind = text.substring(0, colon);
    String name = text.substring(colon + 1);
    if (kind.equals("ServiceAccount")) {
      int slash = name.indexOf('/');
      return MapNode.of("kind", Node.text(kind))
          .with("name", Node.text(name.substring(slash + 1)))
          .with("namespace", Node.text(name.substring(0, slash)));
    }
    return MapNode.of("kind", Node.text(kind))
        .with("apiGroup", Node.text(EscalationCheck.GROUP))
        .with("name", Node.text(name));
  }

  private static MapNode meta(String namespace, String name, List<String> labels) {
    MapNode meta = MapNode.of("name", Node.text(name));
    if (!namespace.isEmpty()) {
      meta = meta.with("namespace", Node.text(namespace));
    }
    MapNode all = MapNode.ofTexts(LABEL);
    MapNode more = pairs(labels);
    for (String key : more.keys()) {
      all = all.with(key, Node.text(more.text(key)));
    }
    return meta.with("labels", all).with("annotations", MapNode.of(AUTOUPDATE, Node.text("true")));
  }

  private static MapNode pairs(List<String> texts) {
    MapNode pairs = MapNode.EMPTY;
    for (String text : texts) {
      int equals = text.indexOf('=');
      pairs = pairs.with(text.substring(0, equals), Node.text(text.substring(equals + 1)));
    }
    return pairs;
  }

  private static List<String> list(String text) {
    return Arrays.asList(text.split(","));
  }
}
