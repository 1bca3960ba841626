package dev.keelson.registry.core;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a new pod's fields become from its labels and annotations (source: pod strategy,
 * mutatePodAffinity, mutateTopologySpreadConstraints and applyAppArmorVersionSkew).
 */
final class NewPods {

  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String LOCALHOST = "localhost/";
  private static final String PROFILE = "appArmorProfile";
  private static final int LONGEST_PROFILE = 4095;
  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";

  private NewPods() {}

  /** The spec with an expression in the selectors for each label that a term names by its key. */
  static MapNode withLabelKeys(MapNode spec, MapNode labels) {
    MapNode merged = spec;
    MapNode affinity = spec.map("affinity");
    for (String kind : new String[] {"podAffinity", "podAntiAffinity"}) {
      MapNode terms = affinity.map(kind);
      terms = eachOf(terms, PREFERRED, each -> weighted(each, labels));
      terms = eachOf(terms, REQUIRED, term -> term(term, labels));
      if (!terms.isEmpty()) {
        affinity = affinity.with(kind, terms);
      }
    }
    if (!affinity.isEmpty()) {
      merged = merged.with("affinity", affinity);
    }
    return eachOf(
        merged,
        "topologySpreadConstraints",
        constraint -> selecting(constraint, "matchLabelKeys", "In", labels));
  }

  private static MapNode weighted(MapNode preferred, MapNode labels) {
    return preferred.has("podAffinityTerm")
        ? preferred.with("podAffinityTerm", term(preferred.map("podAffinityTerm"), labels))
        : preferred;
  }

  private static MapNode term(MapNode term, MapNode labels) {
    return selecting(
        selecting(term, "matchLabelKeys", "In", labels), "mismatchLabelKeys", "NotIn", labels);
  }

  private static MapNode selecting(MapNode term, String keys, String operator, MapNode labels) {
    if (term.items(keys).isEmpty() || !(term.get("labelSelector") instanceof MapNode selector)) {
      return term;
    }
    List<Node> expressions = new ArrayList<>(selector.items("matchExpressions"));
    for (Node key : term.items(keys)) {
      if (key instanceof Node.Text(String name) && labels.get(name) instanceof Node.Text value) {
        expressions.add(
            MapNode.of("key", key)
                .with("operator", Node.text(operator))
                .with("values", new Node.Items(List.of(value))));
      }
    }
    return expressions.isEmpty()
        ? term
        : term.with(
            "labelSelector", selector.with("matchExpressions", new Node.Items(expressions)));
  }

  /**
   * The spec with the AppArmor profiles of annotations in the fields of the containers.
   *
   * @param warnings takes one for each annotation without a field that says the same
   */
  static MapNode withAppArmorProfiles(
      MapNode spec, MapNode annotations, Consumer<String> warnings) {
    if (annotations.isEmpty() || spec.map("os").text("name").equals("windows")) {
      return spec;
    }
    Node ofPod = spec.map("securityContext").get(PROFILE);
    MapNode synchronizedSpec = spec;
    for (String list : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      synchronizedSpec =
          eachOf(
              synchronizedSpec,
              list,
              container -> withProfile(container, annotations, ofPod, warnings));
    }
    return synchronizedSpec;
  }

  private static MapNode withProfile(
      MapNode container, MapNode annotations, @Nullable Node ofPod, Consumer<String> warnings) {
    String key = APP_ARMOR + container.text("name");
    MapNode context = container.map("securityContext");
    if (!(annotations.get(key) instanceof Node.Text annotation) || context.has(PROFILE)) {
      return container;
    }
    MapNode profile = profile(annotation.value());
    if (profile.equals(ofPod)) {
      return container;
    }
    warnings.accept(
        "metadata.annotations["
            + key
            + "]: deprecated since v1.30; use the \"appArmorProfile\" field instead");
    return profile.isEmpty()
        ? container
        : container.with("securityContext", context.with(PROFILE, profile));
  }

  /** The profile that an annotation names; empty if it names none that is valid. */
  private static MapNode profile(String annotation) {
    if (annotation.startsWith(LOCALHOST)) {
      String name = annotation.substring(LOCALHOST.length());
      boolean valid =
          !name.isEmpty() && name.strip().equals(name) && name.length() <= LONGEST_PROFILE;
      return valid
          ? MapNode.of("type", Node.text("Localhost")).with("localhostProfile", Node.text(name))
          : MapNode.EMPTY;
    }
    return switch (annotation) {
      case "unconfined" -> MapNode.of("type", Node.text("Unconfined"));
      case "runtime/default" -> MapNode.of("type", Node.text("RuntimeDefault"));
      default -> MapNode.EMPTY;
    };
  }

  private static MapNode eachOf(MapNode holder, String list, UnaryOperator<MapNode> change) {
    if (holder.items(list).isEmpty()) {
      return holder;
    }
    List<Node> changed = new ArrayList<>();
    for (Node each : holder.items(list)) {
      changed.add(each instanceof MapNode map ? change.apply(map) : each);
    }
    return holder.with(list, new Node.Items(changed));
  }
}
