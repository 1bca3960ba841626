package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import java.util.Set;

/** What a node may say of a pod, and which annotations of a pod stay (source: pod validation). */
final class PodStatusRules {

  /** The annotation of a pod that a node runs on its own. */
  static final String MIRROR = "kubernetes.io/config.mirror";

  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final Set<String> SYSTEM_CONDITIONS =
      Set.of("PodScheduled", "Ready", "Initialized");

  private PodStatusRules() {}

  static void changed(Value object, Value old) {
    annotations(object.get("metadata", "annotations"), old.get("metadata", "annotations"));
    Value status = object.get("status");
    Value was = old.get("status");
    // Kubernetes looks for the conditions of the status in the metadata, and writes them big
    Value shownAt = object.get("metadata", "conditions").holding(status.get("conditions").node());
    for (Value condition : shownAt) {
      if (!SYSTEM_CONDITIONS.contains(condition.get("type").text())) {
        Labels.name(condition.get("Type").holding(Labels.orEmpty(condition.get("type")).node()));
      }
    }
    if (!status.get("nominatedNodeName").sameAs(was.get("nominatedNodeName"))) {
      status.get("nominatedNodeName").dnsSubdomain();
    }
    if (!status.get("qosClass").sameAs(was.get("qosClass"))) {
      Labels.orEmpty(status.get("qosClass")).invalid("field is immutable");
    }
    Value spec = old.get("spec");
    String policy = spec.get("restartPolicy").text();
    String containers = "containerStatuses";
    String ephemeral = "ephemeralContainerStatuses";
    String init = "initContainerStatuses";
    transitions(status.get(containers), was.get(containers), policy, Node.Items.EMPTY);
    transitions(
        status.get(init),
        was.get(init),
        policy,
        new Node.Items(spec.get("initContainers").items()));
    transitions(status.get(ephemeral), was.get(ephemeral), "Never", Node.Items.EMPTY);
    claims(status.get("resourceClaimStatuses"), object.get("spec", "resourceClaims"));
    addresses(status.get("podIPs"));
    Value hosts = status.get("hostIPs");
    if (hosts.size() > 0 && !hosts.at(0).get("ip").sameAs(status.get("hostIP"))) {
      hosts.at(0).get("ip").invalid("must be equal to `hostIP`");
    }
    addresses(hosts);
  }

  /** Some annotations mean what the pod runs with, so they stay as they were. */
  static void annotations(Value annotations, Value old) {
    for (Value was : old) {
      String key = was.name();
      if (annotations.key(key).sameAs(was)) {
        continue;
      }
      if (key.startsWith(APP_ARMOR)) {
        annotations.key(key).forbidden("may not remove or update AppArmor annotations");
      } else if (key.equals(MIRROR)) {
        annotations.key(key).forbidden("may not remove or update mirror pod annotation");
      }
    }
    for (Value now : annotations) {
      String key = now.name();
      if (old.map().has(key)) {
        continue;
      }
      if (key.startsWith(APP_ARMOR)) {
        annotations.key(key).forbidden("may not add AppArmor annotations");
      } else if (key.equals(MIRROR)) {
        annotations.key(key).forbidden("may not add mirror pod annotation");
      }
    }
  }

  /** A container that has ended for good does not run again. */
  private static void transitions(Value now, Value old, String policy, Node.Items restartable) {
    if (policy.equals("Always")) {
      return;
    }
    for (int i = 0; i < old.size(); i++) {
      Value ended = old.at(i).get("state", "terminated");
      boolean failed = ended.get("exitCode").number() != 0 && policy.equals("OnFailure");
      if (ended.absent() || failed || restarts(restartable, old.at(i).get("name"))) {
        continue;
      }
      for (Value each : now) {
        if (each.get("name").sameAs(old.at(i).get("name"))
            && each.get("state", "terminated").absent()) {
          now.at(i).get("state").forbidden("may not be transitioned to non-terminated state");
        }
      }
    }
  }

  private static boolean restarts(Node.Items containers, Value name) {
    for (Node container : containers.values()) {
      if (container instanceof dev.keelson.object.MapNode map
          && map.text("name").equals(name.text())) {
        return map.text("restartPolicy").equals("Always");
      }
    }
    return false;
  }

  private static void claims(Value statuses, Value claims) {
    for (Value status : statuses) {
      boolean known = false;
      for (Value claim : claims) {
        known |= claim.get("name").sameAs(status.get("name"));
      }
      if (!known) {
        Labels.orEmpty(status.get("name"))
            .invalid("must match the name of an entry in `spec.resourceClaims`");
      }
      status.get("resourceClaimName").dnsSubdomain();
    }
    statuses.uniqueBy("name");
  }

  /** At most one address of each family. */
  private static void addresses(Value ips) {
    for (Value ip : ips) {
      String problem = Formats.IP.apply(ip.get("ip").text());
      if (!problem.isEmpty()) {
        ip.invalid(ip.get("ip").text(), problem);
      }
    }
    boolean sameFamily = ips.size() == 2 && isOld(ips.at(0)) == isOld(ips.at(1));
    if (ips.size() > 2 || sameFamily) {
      ips.invalid("may specify no more than one IP for each IP family");
    }
    ips.unique();
  }

  private static boolean isOld(Value ip) {
    return Formats.isIpv4(ip.get("ip").text());
  }
}
