package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Value;

/**
 * Which containers run again after they have ended (source: pkg/api/v1/pod, KEP-5307, KEP-5532).
 */
final class ContainerRestarts {
  private ContainerRestarts() {}

  /** Whether a rule of a container can restart all containers of the pod. */
  static boolean allCould(Value spec) {
    for (String list : new String[] {"containers", "initContainers"}) {
      for (Value container : spec.get(list)) {
        for (Value rule : container.get("restartPolicyRules")) {
          if (rule.get("action").is("RestartAllContainers")) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Whether a container that has ended with {@code exitCode} runs again. */
  static boolean should(Value container, Value spec, long exitCode) {
    Value own = container.get("restartPolicy");
    if (own.present() && isRestart(container.get("restartPolicyRules"), exitCode)) {
      return true;
    }
    return switch (own.present() ? own.text() : spec.get("restartPolicy").text()) {
      case "Always" -> true;
      case "OnFailure" -> exitCode != 0;
      default -> false;
    };
  }

  /** Whether the first rule for {@code exitCode} restarts the container. */
  private static boolean isRestart(Value rules, long exitCode) {
    for (Value rule : rules) {
      Value codes = rule.get("exitCodes");
      boolean listed = codes.get("values").items().contains(new Node.Int(exitCode));
      if (codes.present() && listed == codes.get("operator").is("In")) {
        return rule.get("action").is("Restart");
      }
    }
    return false;
  }
}
