package dev.keelson.admission.plugin.pod;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The Secrets to which the pods of a service account are limited: those that the account names, if
 * its annotation {@code kubernetes.io/enforce-mountable-secrets} says so (source: Kubernetes'
 * ServiceAccount plug-in, whose order and messages this has).
 */
final class MountableSecrets {

  private static final String ENFORCED = "kubernetes.io/enforce-mountable-secrets";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  private final String account;
  private final Set<String> secrets;
  private final Set<String> pullSecrets;

  private MountableSecrets(ApiObject account) {
    this.account = account.meta().name();
    this.secrets = names(account.root().maps("secrets"));
    this.pullSecrets = names(account.root().maps("imagePullSecrets"));
  }

  /** The limits that an account sets, if it does. */
  static Optional<MountableSecrets> of(ApiObject account) {
    return TRUE.contains(account.meta().annotations().getOrDefault(ENFORCED, ""))
        ? Optional.of(new MountableSecrets(account))
        : Optional.empty();
  }

  private static Set<String> names(List<MapNode> references) {
    Set<String> names = new HashSet<>();
    references.forEach(each -> names.add(each.text("name")));
    return names;
  }

  /** The first reference of a new pod that is not allowed, in words; empty if all are. */
  String problem(MapNode spec) {
    for (MapNode volume : spec.maps("volumes")) {
      String name = volume.map("secret").text("secretName");
      if (volume.has("secret") && !secrets.contains(name)) {
        return "volume with secret.secretName=\"" + name + "\"" + notAllowed("secret");
      }
    }
    String problem = containers(spec, "initContainers", "init container ");
    if (problem.isEmpty()) {
      problem = containers(spec, "containers", "container ");
    }
    return problem.isEmpty() ? pulls(spec) : problem;
  }

  /** The first reference of an ephemeral container that is not allowed, in words. */
  String ephemeralProblem(MapNode spec) {
    return containers(spec, "ephemeralContainers", "ephemeral container ");
  }

  private String containers(MapNode spec, String list, String kind) {
    for (MapNode container : spec.maps(list)) {
      String what = kind + container.text("name");
      for (MapNode variable : container.maps("env")) {
        MapNode from = variable.map("valueFrom");
        if (from.has("secretKeyRef")) {
          String problem =
              refused(what + " with envVar " + variable.text("name"), from.map("secretKeyRef"));
          if (!problem.isEmpty()) {
            return problem;
          }
        }
      }
      for (MapNode source : container.maps("envFrom")) {
        if (source.has("secretRef")) {
          String problem = refused(what + " with envFrom", source.map("secretRef"));
          if (!problem.isEmpty()) {
            return problem;
          }
        }
      }
    }
    return "";
  }

  private String refused(String what, MapNode reference) {
    String name = reference.text("name");
    return secrets.contains(name)
        ? ""
        : what + " referencing secret.secretName=\"" + name + "\"" + notAllowed("secret");
  }

  private String pulls(MapNode spec) {
    List<MapNode> references = spec.maps("imagePullSecrets");
    for (int i = 0; i < references.size(); i++) {
      String name = references.get(i).text("name");
      if (!pullSecrets.contains(name)) {
        return "imagePullSecrets[" + i + "].name=\"" + name + "\"" + notAllowed("imagePullSecret");
      }
    }
    return "";
  }

  private String notAllowed(String what) {
    return " is not allowed because service account "
        + account
        + " does not reference that "
        + what;
  }
}
