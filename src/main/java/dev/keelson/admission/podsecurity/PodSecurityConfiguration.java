package dev.keelson.admission.podsecurity;

import dev.keelson.api.FieldCause;
import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The configuration of Pod Security (source: {@code pod-security.admission.config.k8s.io/v1}).
 *
 * @param defaults the policy of namespaces without labels
 * @param namespaces the namespaces in which pods are not checked
 * @param usernames the users whose requests are not checked
 * @param runtimeClasses the runtime classes whose pods are not checked
 */
public record PodSecurityConfiguration(
    Policy defaults, Set<String> namespaces, Set<String> usernames, Set<String> runtimeClasses) {

  /** The kind in configuration files. */
  public static final String KIND = "PodSecurityConfiguration";

  /** The API versions in configuration files; they have the same fields. */
  public static final Set<String> API_VERSIONS =
      Set.of(
          "pod-security.admission.config.k8s.io/v1",
          "pod-security.admission.config.k8s.io/v1beta1",
          "pod-security.admission.config.k8s.io/v1alpha1");

  /** Allows everything that the labels of a namespace do not forbid. */
  public static final PodSecurityConfiguration DEFAULT =
      new PodSecurityConfiguration(Policy.PRIVILEGED, Set.of(), Set.of(), Set.of());

  private static final Set<String> MODES =
      Set.of("enforce", "enforce-version", "audit", "audit-version", "warn", "warn-version");
  private static final Set<String> EXEMPTIONS = Set.of("usernames", "namespaces", "runtimeClasses");

  public PodSecurityConfiguration {
    namespaces = Set.copyOf(namespaces);
    usernames = Set.copyOf(usernames);
    runtimeClasses = Set.copyOf(runtimeClasses);
  }

  /**
   * Reads a configuration.
   *
   * @param root the object of the configuration file; the empty one has the defaults
   * @throws IllegalArgumentException if it is invalid
   */
  public static PodSecurityConfiguration of(MapNode root) {
    String version = root.text("apiVersion");
    String kind = root.text("kind");
    if (!root.isEmpty() && !(kind.equals(KIND) && API_VERSIONS.contains(version))) {
      throw new IllegalArgumentException(
          "no kind \"" + kind + "\" is registered for version \"" + version + "\"");
    }
    List<String> unknown = new ArrayList<>();
    unknown(root, "", Set.of("apiVersion", "kind", "defaults", "exemptions"), unknown);
    MapNode defaults = root.map("defaults");
    MapNode exemptions = root.map("exemptions");
    unknown(defaults, "defaults.", MODES, unknown);
    unknown(exemptions, "exemptions.", EXEMPTIONS, unknown);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException("strict decoding error: " + String.join(", ", unknown));
    }
    List<FieldCause> causes = new ArrayList<>();
    LevelVersion enforce = mode(defaults, "enforce", causes);
    LevelVersion warn = mode(defaults, "warn", causes);
    LevelVersion audit = mode(defaults, "audit", causes);
    Set<String> namespaces = names(exemptions, "namespaces", Names::dnsLabel, causes);
    Set<String> runtimes = names(exemptions, "runtimeClasses", Names::dnsSubdomain, causes);
    Set<String> users = names(exemptions, "usernames", name -> "", causes);
    if (!causes.isEmpty()) {
      List<String> all = causes.stream().map(FieldCause::summary).distinct().toList();
      throw new IllegalArgumentException(
          all.size() == 1 ? all.getFirst() : "[" + String.join(", ", all) + "]");
    }
    return new PodSecurityConfiguration(
        new Policy(enforce, audit, warn), namespaces, users, runtimes);
  }

  private static void unknown(
      MapNode struct, String path, Set<String> known, List<String> unknown) {
    for (String key : struct.keys()) {
      if (!known.contains(key)) {
        unknown.add("unknown field \"" + path + key + "\"");
      }
    }
  }

  private static LevelVersion mode(MapNode defaults, String key, List<FieldCause> causes) {
    String level = orElse(defaults.text(key), Level.PRIVILEGED.text());
    Optional<Level> knownLevel = Level.of(level);
    if (knownLevel.isEmpty()) {
      causes.add(FieldCause.invalid("defaults." + key, level, Level.ALLOWED));
    }
    String versionKey = key + "-version";
    String version = orElse(defaults.text(versionKey), PolicyVersion.LATEST.toString());
    Optional<PolicyVersion> knownVersion = PolicyVersion.of(version);
    if (knownVersion.isEmpty()) {
      causes.add(FieldCause.invalid("defaults." + versionKey, version, PolicyVersion.ALLOWED));
    }
    return new LevelVersion(
        knownLevel.orElse(Level.RESTRICTED), knownVersion.orElse(PolicyVersion.LATEST));
  }

  private static String orElse(String text, String ifEmpty) {
    return text.isEmpty() ? ifEmpty : text;
  }

  private static Set<String> names(
      MapNode exemptions, String key, UnaryOperator<String> problems, List<FieldCause> causes) {
    Set<String> names = new HashSet<>();
    List<Node> items = exemptions.items(key);
    for (int i = 0; i < items.size(); i++) {
      String path = "exemptions." + key + "[" + i + "]";
      String name = items.get(i) instanceof Node.Text text ? text.value() : "";
      String problem = String.join(", ", problems.apply(name).lines().toList());
      if (!problem.isEmpty()) {
        causes.add(FieldCause.invalid(path, name, problem));
      } else if (name.isEmpty()) {
        causes.add(FieldCause.required(path, ""));
      } else if (!names.add(name)) {
        causes.add(FieldCause.duplicate(path, name));
      }
    }
    return names;
  }
}
