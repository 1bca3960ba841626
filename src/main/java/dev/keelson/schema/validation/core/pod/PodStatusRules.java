package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.IpAddress;
import java.util.HashSet;
import java.util.Set;

/** What a node may say of a pod, and which annotations of a pod stay (source: pod validation). */
final class PodStatusRules {
  /** The annotation of a pod that a node runs on its own. */
  static final String MIRROR = "kubernetes.io/config.mirror";

  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final Set<String> SYSTEM_CONDITIONS =
      Set.of("PodScheduled", "Ready", "Initialized");
  private static final Set<String> HEALTH = Set.of("Healthy", "Unhealthy", "Unknown");

  private PodStatusRules() {}

  static void validatePodStatusUpdate(Value object, Value old) {
    Value status = object.get("status");
    Value was = old.get("status");
    for (Value condition : status.get("conditions")) {
      notNegative(condition.get("observedGeneration"));
      // Kubernetes writes the field big
      if (!SYSTEM_CONDITIONS.contains(condition.get("type").text())) {
        Labels.validateLabelName(
            condition.get("Type").holding(condition.get("type").orEmpty().node()));
      }
    }
    if (!status.get("nominatedNodeName").sameAs(was.get("nominatedNodeName"))) {
      status.get("nominatedNodeName").dnsSubdomain();
      if (old.get("spec", "nodeName").filled() && status.get("nominatedNodeName").filled()) {
        status
            .get("nominatedNodeName")
            .forbidden("may not be set on pods that are already bound to a node");
      }
    }
    notNegative(status.get("observedGeneration"));
    if (!status.get("qosClass").sameAs(was.get("qosClass"))) {
      status.get("qosClass").orEmpty().invalid("field is immutable");
    }
    Value spec = old.get("spec");
    String containers = "containerStatuses";
    String ephemeral = "ephemeralContainerStatuses";
    String init = "initContainerStatuses";
    if (!ContainerRestarts.allCould(spec)) {
      transitions(status.get(containers), was.get(containers), spec.get("containers"), spec);
      transitions(status.get(init), was.get(init), spec.get("initContainers"), spec);
    }
    // a node never restarts an ephemeral container
    transitions(status.get(ephemeral), was.get(ephemeral), spec.holding(null), spec);
    PodClaimRules.validateClaimStatuses(status, object.get("spec"));
    podAddresses(status.get("podIPs"));
    hostAddresses(status.get("hostIPs"), status.get("hostIP"));
    boolean windows = object.get("spec", "os", "name").is("windows");
    for (String list : new String[] {containers, init, ephemeral}) {
      for (Value each : status.get(list)) {
        user(each, windows);
      }
    }
    for (Value each : status.get(containers)) {
      health(each, object.get("spec", "containers"));
    }
    for (Value each : status.get(init)) {
      health(each, object.get("spec", "initContainers"));
    }
    for (Value each : status.get(ephemeral)) {
      if (each.get("allocatedResourcesStatus").size() > 0) {
        each.get("allocatedResourcesStatus").forbidden("must not be specified in container status");
      }
    }
  }

  private static void notNegative(Value generation) {
    if (generation.number() < 0) {
      generation.invalid("must be a non-negative integer");
    }
  }

  /** Who runs a container; Kubernetes leaves {@code user} out of the path. */
  private static void user(Value status, boolean windows) {
    Value linux = status.get("linux").holding(status.get("user", "linux").node());
    if (windows) {
      if (linux.present()) {
        linux.forbidden("cannot be set for a windows pod");
      }
      return;
    }
    linux.get("uid").range(0, Integer.MAX_VALUE);
    linux.get("gid").range(0, Integer.MAX_VALUE);
    for (Value group : linux.get("supplementalGroups")) {
      group.range(0, Integer.MAX_VALUE);
    }
  }

  /** How the devices of a container are: each of them is one that it asked for. */
  private static void health(Value status, Value containers) {
    for (Value allocated : status.get("allocatedResourcesStatus")) {
      Value name = allocated.get("name").orEmpty();
      for (Value container : containers) {
        if (container.get("name").is(status.get("name").text())) {
          requested(name, container.get("resources"));
          break;
        }
      }
      Set<String> ids = new HashSet<>();
      for (Value device : allocated.get("resources")) {
        Value health = device.get("health");
        if (!HEALTH.contains(health.text())) {
          health.unsupported("Healthy", "Unhealthy", "Unknown");
        }
        if (!ids.add(device.get("resourceID").text())) {
          device.get("resourceID").orEmpty().duplicate();
        }
      }
    }
  }

  private static void requested(Value name, Value resources) {
    if (!name.text().startsWith("claim:")) {
      if (!resources.get("requests").map().has(name.text())) {
        name.invalid("must match one of the container's resource requests");
      }
      return;
    }
    for (Value claim : resources.get("claims")) {
      String request = claim.get("request").text();
      String known = "claim:" + claim.get("name").text() + (request.isEmpty() ? "" : "/" + request);
      if (name.is(known)) {
        return;
      }
    }
    name.invalid(
        "must match one of the container's resource claims in a format"
            + " 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty");
  }

  /** Some annotations mean what the pod runs with, so they stay as they were. */
  static void validatePodAnnotationsUpdate(Value annotations, Value old) {
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

  /**
   * A container that has ended for good does not run again.
   *
   * @param containers those that may run again, by their own policies or the pod's
   */
  private static void transitions(Value now, Value old, Value containers, Value spec) {
    for (int i = 0; i < old.size(); i++) {
      Value name = old.at(i).get("name");
      Value ended = old.at(i).get("state", "terminated");
      if (ended.absent()) {
        continue;
      }
      for (Value each : now) {
        if (each.get("name").sameAs(name)) {
          if (each.get("state", "terminated").absent()
              && !runsAgain(containers, name.text(), ended, spec)) {
            now.at(i).get("state").forbidden("may not be transitioned to non-terminated state");
          }
          break;
        }
      }
    }
  }

  private static boolean runsAgain(Value containers, String name, Value ended, Value spec) {
    for (Value container : containers) {
      if (container.get("name").is(name)) {
        return ContainerRestarts.should(container, spec, ended.get("exitCode").number());
      }
    }
    return false;
  }

  private static void podAddresses(Value ips) {
    valid(ips);
    if (ips.size() > 1) {
      families(ips);
    }
  }

  private static void hostAddresses(Value ips, Value first) {
    if (ips.size() == 0) {
      return;
    }
    Value ip = ips.at(0).get("ip").orEmpty();
    if (!ip.is(first.text())) {
      ip.invalid("must be equal to `hostIP`");
    }
    valid(ips);
    if (ips.size() > 1) {
      families(ips);
    }
  }

  private static void valid(Value ips) {
    for (Value ip : ips) {
      // Kubernetes names the entry, not its field
      ip.holding(Node.text(ip.get("ip").text())).ip();
    }
  }

  /** At most one address of each family. */
  private static void families(Value ips) {
    if (ips.size() > 2 || isOld(ips.at(0)) == isOld(ips.at(1))) {
      ips.invalid("may specify no more than one IP for each IP family");
    }
  }

  private static boolean isOld(Value ip) {
    return IpAddress.isIpv4(ip.get("ip").text());
  }
}
