package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.Value;

/** The probes and the lifecycle hooks of a container. */
final class ProbeRules {
  private ProbeRules() {}

  private static final long DEFAULT_GRACE_SECONDS = 30;

  static void validateLifecycle(Value lifecycle, Value pod) {
    validateHandler(lifecycle.get("postStart"), /* hook= */ true, pod);
    validateHandler(lifecycle.get("preStop"), /* hook= */ true, pod);
  }

  static void validateProbes(Value container, Value pod) {
    for (String kind : new String[] {"livenessProbe", "readinessProbe", "startupProbe"}) {
      Value probe = container.get(kind);
      if (probe.absent()) {
        continue;
      }
      validateHandler(probe, /* hook= */ false, pod);
      for (String field :
          new String[] {
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold"
          }) {
        probe.get(field).nonNegative();
      }
      Value grace = probe.get("terminationGracePeriodSeconds");
      grace.positive();
      if (kind.equals("readinessProbe")) {
        if (grace.present()) {
          grace.invalid("must not be set for readinessProbes");
        }
      } else {
        Value threshold = probe.get("successThreshold");
        if (threshold.number() > 1 || threshold.number() < 0) {
          threshold.invalid("must be 1");
        }
      }
    }
  }

  private static void validateHandler(Value handler, boolean hook, Value pod) {
    if (handler.absent()) {
      return;
    }
    int handlers = 0;
    String[] kinds =
        hook
            ? new String[] {"exec", "httpGet", "tcpSocket", "sleep"}
            : new String[] {"exec", "httpGet", "tcpSocket", "grpc"};
    for (String kind : kinds) {
      Value action = handler.get(kind);
      if (action.present()) {
        handlers++;
        if (handlers > 1) {
          action.forbidden("may not specify more than 1 handler type");
        } else {
          validateAction(kind, action, pod);
        }
      }
    }
    if (handlers == 0) {
      handler.required("must specify a handler type");
    }
  }

  private static void validateAction(String kind, Value action, Value pod) {
    switch (kind) {
      case "exec" -> action.get("command").needed();
      case "httpGet" -> {
        action.get("path").needed();
        IntOrStrings.validatePortNumOrName(action.get("port"));
        action.declared("scheme");
        for (Value header : action.get("httpHeaders")) {
          String problem = Formats.HEADER_NAME.apply(header.get("name").text());
          if (!problem.isEmpty()) {
            action.get("httpHeaders").invalid(header.get("name").text(), problem);
          }
        }
      }
      case "tcpSocket" -> IntOrStrings.validatePortNumOrName(action.get("port"));
      case "grpc" -> action.get("port").orZero().port();
      default -> validateSleepAction(action, pod);
    }
  }

  private static void validateSleepAction(Value sleep, Value pod) {
    Value grace = pod.get("terminationGracePeriodSeconds");
    long most = grace.present() ? grace.number() : DEFAULT_GRACE_SECONDS;
    long seconds = sleep.get("seconds").number();
    if (seconds < 0 || seconds > most) {
      sleep
          .holding(new Node.Int(seconds))
          .invalid(
              "must be non-negative and less than terminationGracePeriodSeconds (" + most + ")");
    }
  }
}
