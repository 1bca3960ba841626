package dev.keelson.schema.validation.core.pod;

import dev.keelson.object.Node;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.Value;
import java.util.List;
import java.util.Objects;

/** The probes and the lifecycle hooks of a container. */
final class ProbeRules {
  private ProbeRules() {}

  private static final long DEFAULT_GRACE_SECONDS = 30;
  private static final List<String> WINDOWS_SIGNALS = List.of("SIGKILL", "SIGTERM");

  static void validateLifecycle(Value lifecycle, Value pod) {
    validateHandler(lifecycle.get("postStart"), /* hook= */ true, pod);
    validateHandler(lifecycle.get("preStop"), /* hook= */ true, pod);
    validateStopSignal(lifecycle.get("stopSignal"), lifecycle, pod);
  }

  /** Only pods that were stored with a signal have one: the gate ContainerStopSignals is off. */
  private static void validateStopSignal(Value signal, Value lifecycle, Value pod) {
    if (signal.absent()) {
      return;
    }
    Value os = pod.get("os");
    if (os.absent()) {
      signal.forbidden("may not be set for containers with empty `spec.os.name`");
    } else if (os.get("name").is("windows")) {
      oneOf(signal, WINDOWS_SIGNALS);
    } else if (os.get("name").is("linux")) {
      Field field = Objects.requireNonNull(lifecycle.struct().field("stopSignal"));
      oneOf(signal, field.rules().publication().enumeration());
    }
  }

  private static void oneOf(Value signal, List<String> known) {
    if (!known.contains(signal.text())) {
      signal.unsupported(known.toArray(String[]::new));
    }
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
