package dev.keelson.controller.job;

import dev.keelson.controller.workload.JobPod;
import dev.keelson.controller.workload.JobPod.Exit;
import dev.keelson.controller.workload.JobPod.State;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The podFailurePolicy of a Job (source: {@code pod_failure_policy.go}).
 *
 * @param rules empty if the Job has no policy
 */
record FailurePolicy(List<MapNode> rules) {

  private static final Match NO_RULE = new Match("", "");

  /**
   * The first rule that matches a failed pod.
   *
   * @param action such as {@code Ignore}; empty if no rule matches
   * @param message why the Job fails; empty if it does not
   */
  record Match(String action, String message) {

    /** Whether the failure counts towards the backoffLimit. */
    boolean counts() {
      return !action.equals("Ignore");
    }

    boolean failsJob() {
      return !message.isEmpty();
    }

    boolean failsIndex() {
      return action.equals("FailIndex");
    }
  }

  Match match(OwnPod own) {
    PodFacts pod = own.facts();
    JobPod state = own.state();
    for (int i = 0; i < rules.size(); i++) {
      MapNode rule = rules.get(i);
      String found = found(pod, state, rule);
      if (found == null) {
        continue;
      }
      String action = rule.text("action");
      switch (action) {
        case "Ignore", "Count", "FailIndex" -> {
          return new Match(action, "");
        }
        case "FailJob" -> {
          return new Match(action, found + " matching FailJob rule at index " + i);
        }
        default -> {
          // not an action of this version
        }
      }
    }
    return NO_RULE;
  }

  /** What of a pod a rule matches; null if nothing. */
  private static @Nullable String found(PodFacts pod, JobPod state, MapNode rule) {
    String name = pod.name().namespace() + "/" + pod.name().name();
    if (rule.has("onExitCodes")) {
      for (Exit exit : state.exits()) {
        if (matches(rule.map("onExitCodes"), exit)) {
          return "Container "
              + exit.container()
              + " for pod "
              + name
              + " failed with exit code "
              + exit.code();
        }
      }
      return null;
    }
    for (State condition : state.conditions()) {
      for (MapNode pattern : rule.maps("onPodConditions")) {
        if (pattern.text("type").equals(condition.type())
            && pattern.text("status").equals(condition.status())) {
          return "Pod " + name + " has condition " + condition.type();
        }
      }
    }
    return null;
  }

  private static boolean matches(MapNode requirement, Exit exit) {
    String container = requirement.text("containerName");
    if (!container.isEmpty() && !container.equals(exit.container())) {
      return false;
    }
    boolean listed = requirement.items("values").contains(new Node.Int(exit.code()));
    return switch (requirement.text("operator")) {
      case "In" -> listed;
      case "NotIn" -> !listed;
      default -> false;
    };
  }
}
