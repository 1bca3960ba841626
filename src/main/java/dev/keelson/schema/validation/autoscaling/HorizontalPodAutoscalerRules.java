package dev.keelson.schema.validation.autoscaling;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import java.math.BigDecimal;

/** Horizontal pod autoscalers. */
final class HorizontalPodAutoscalerRules implements KindRules {
  private static final String TOO_FEW = "must be greater than zero";

  /** In the order in which Kubernetes looks at them; only the first one is looked into. */
  private static final String[] SOURCES = {
    "object", "external", "pods", "resource", "containerResource"
  };

  /** The least {@code minReplicas} of a new object. */
  private final int fewest;

  /** With or without the feature HPAScaleToZero. */
  HorizontalPodAutoscalerRules(boolean scaleToZero) {
    this.fewest = scaleToZero ? 0 : 1;
  }

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    spec(object.get("spec"), new Leniency(fewest, false, false));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value target = object.get("spec", "scaleTargetRef");
    Value was = old.get("spec", "scaleTargetRef");
    boolean changed =
        !target.get("apiVersion").sameAs(was.get("apiVersion"))
            || !target.get("kind").sameAs(was.get("kind"));
    boolean zero =
        old.get("spec", "minReplicas").present() && old.get("spec", "minReplicas").number() == 0;
    spec(
        object.get("spec"),
        new Leniency(zero ? 0 : fewest, !changed, hasInvalidMetric(old.get("spec", "metrics"))));
  }

  /**
   * What an update may keep.
   *
   * @param fewest the least number of replicas
   * @param anyTarget whether the version of the target is not validated
   * @param anyMetric whether the versions of objects that metrics describe are not validated
   */
  private record Leniency(int fewest, boolean anyTarget, boolean anyMetric) {}

  private static boolean hasInvalidMetric(Value metrics) {
    for (Value metric : metrics) {
      if (metric.get("type").is("Object") && metric.get("object").present()) {
        Value version = metric.get("object", "describedObject", "apiVersion");
        if (!versionProblem(version.text(), /* core= */ true).isEmpty()) {
          return true;
        }
      }
    }
    return false;
  }

  private static void spec(Value spec, Leniency lenient) {
    Value min = spec.get("minReplicas");
    Value max = spec.get("maxReplicas").orZero();
    if (min.present() && min.number() < lenient.fewest) {
      min.invalid("must be greater than or equal to " + lenient.fewest);
    }
    if (max.number() < 1) {
      max.invalid("must be greater than 0");
    }
    if (min.present() && max.number() < min.number()) {
      max.invalid("must be greater than or equal to `minReplicas`");
    }
    Value target = spec.get("scaleTargetRef");
    reference(target);
    if (!lenient.anyTarget) {
      apiVersion(target, target.get("kind").is("ReplicationController"));
    }
    boolean scalesToZero = false;
    for (Value metric : spec.get("metrics")) {
      metric(metric, lenient);
      scalesToZero |= metric.get("type").is("Object") || metric.get("type").is("External");
    }
    if (min.present() && min.number() == 0 && !scalesToZero) {
      spec.get("metrics")
          .forbidden(
              "must specify at least one Object or External metric to support scaling to zero"
                  + " replicas");
    }
    scaling(spec.get("behavior", "scaleUp"));
    scaling(spec.get("behavior", "scaleDown"));
  }

  /** {@code core} says that the core group, which has no name, will do. */
  private static void apiVersion(Value reference, boolean core) {
    Value version = reference.get("apiVersion");
    String problem = reference.absent() ? "" : versionProblem(version.text(), core);
    if (!problem.isEmpty()) {
      version.orEmpty().invalid(problem);
    }
  }

  private static String versionProblem(String version, boolean core) {
    int slash = version.indexOf('/');
    if (slash != version.lastIndexOf('/')) {
      return "unexpected GroupVersion string: " + version;
    }
    return slash <= 0 && !core ? "apiVersion must specify API group" : "";
  }

  private static void reference(Value reference) {
    reference.declared("kind").get("kind").as(Formats.PATH_SEGMENT);
    reference.declared("name").get("name").as(Formats.PATH_SEGMENT);
  }

  private static void metric(Value metric, Leniency lenient) {
    String type = metric.get("type").text();
    String wanted =
        switch (type) {
          case "Object" -> "object";
          case "Pods" -> "pods";
          case "Resource" -> "resource";
          case "ContainerResource" -> "containerResource";
          case "External" -> "external";
          default -> "";
        };
    if (type.isEmpty()) {
      metric.get("type").required("must specify a metric source type");
    }
    if (wanted.isEmpty()) {
      metric
          .get("type")
          .orEmpty()
          .unsupported("ContainerResource", "External", "Object", "Pods", "Resource");
    }
    int present = 0;
    for (String each : SOURCES) {
      if (metric.get(each).present() && present++ == 0) {
        source(metric.get(each), each, lenient);
      }
    }
    if (!wanted.isEmpty() && metric.get(wanted).absent()) {
      metric.get(wanted).required("must populate information for the given metric source");
    }
    for (String other : SOURCES) {
      if (present > 1 && !other.equals(wanted) && metric.get(other).present()) {
        metric.get(other).forbidden("must populate the given metric source only");
      }
    }
  }

  private static void source(Value source, String kind, Leniency lenient) {
    Value target = source.get("target");
    Value value = target.get("value");
    Value average = target.get("averageValue");
    Value utilization = target.get("averageUtilization");
    if (kind.equals("object")) {
      reference(source.get("describedObject"));
      if (!lenient.anyMetric) {
        apiVersion(source.get("describedObject"), /* core= */ true);
      }
    }
    metricName(source, kind);
    target(target);
    switch (kind) {
      case "object" -> {
        if (value.absent() && average.absent()) {
          average.required("must set either a target value or averageValue");
        }
      }
      case "pods" -> {
        if (average.absent() || !isPositive(average)) {
          average.required("must specify a positive target averageValue");
        }
      }
      case "external" -> {
        if (value.present() && average.present()) {
          value.forbidden("may not set both a target value for metric and a per-pod target");
        }
        if (value.absent() && average.absent()) {
          average.required("must set either a target value for metric or a per-pod target");
        }
      }
      default -> {
        if (utilization.absent() && average.absent()) {
          utilization.required("must set either a target raw value or a target utilization");
        }
        if (utilization.present() && average.present()) {
          average.forbidden("may not set both a target raw value and a target utilization");
        }
      }
    }
  }

  private static void metricName(Value source, String kind) {
    if (kind.equals("resource") || kind.equals("containerResource")) {
      source.get("name").needed("must specify a resource name");
      if (kind.equals("containerResource")) {
        source.get("container").needed("must specify a container");
      }
      return;
    }
    Value name = source.get("metric", "name");
    name.needed("must specify a metric name").as(Formats.PATH_SEGMENT);
    Labels.validateLabelSelector(source.get("metric", "selector"));
  }

  private static void target(Value target) {
    Value type = target.get("type");
    switch (type.text()) {
      case "" -> {
        type.required("must specify a metric target type");
        type.orEmpty().invalid("must be either Utilization, Value, or AverageValue");
      }
      case "Utilization", "Value", "AverageValue" -> {}
      default -> type.invalid("must be either Utilization, Value, or AverageValue");
    }
    for (String field : new String[] {"value", "averageValue"}) {
      if (target.get(field).present() && !isPositive(target.get(field))) {
        target.get(field).invalid(QuantityRules.text(target.get(field)), "must be positive");
      }
    }
    if (target.get("averageUtilization").present()
        && target.get("averageUtilization").number() < 1) {
      target.get("averageUtilization").invalid("must be greater than 0");
    }
  }

  private static boolean isPositive(Value amount) {
    BigDecimal number = QuantityRules.number(amount);
    return number == null || number.signum() > 0;
  }

  private static void scaling(Value rules) {
    if (rules.absent()) {
      return;
    }
    Value window = rules.get("stabilizationWindowSeconds");
    if (window.present() && window.number() < 0) {
      window.invalid("must be greater than or equal to zero");
    } else if (window.number() > 3600) {
      window.invalid("must be less than or equal to 3600");
    }
    Value policies = rules.declared("selectPolicy").get("policies");
    if (policies.present() && policies.size() == 0) {
      policies.required("must specify at least one Policy");
    }
    for (Value policy : policies) {
      Value type = policy.get("type");
      if (!type.is("Pods") && !type.is("Percent")) {
        type.orEmpty().unsupported("Percent", "Pods");
      }
      Value value = policy.get("value").orZero();
      if (value.number() <= 0) {
        value.invalid(TOO_FEW);
      }
      Value period = policy.get("periodSeconds").orZero();
      if (period.number() <= 0) {
        period.invalid(TOO_FEW);
      } else if (period.number() > 1800) {
        period.invalid("must be less than or equal to 1800");
      }
    }
    Value tolerance = rules.get("tolerance");
    BigDecimal tolerated = tolerance.present() ? QuantityRules.number(tolerance) : null;
    if (tolerated != null && tolerated.signum() < 0) {
      tolerance.invalid(QuantityRules.text(tolerance), "must be greater than or equal to 0");
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    object.get("status", "currentReplicas").nonNegative();
    object.get("status", "desiredReplicas").nonNegative();
  }
}
