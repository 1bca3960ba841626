package dev.keelson.schema.validation.core;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.ResourceRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** Resource quotas. */
final class ResourceQuotaRules implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  private static final Set<String> EXISTING =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "CrossNamespacePodAffinity");
  private static final Set<String> COMPUTE =
      Set.of("cpu", "memory", "requests.cpu", "requests.memory", "limits.cpu", "limits.memory");
  private static final Set<String> SCOPES =
      Set.of(
          "Terminating",
          "NotTerminating",
          "BestEffort",
          "NotBestEffort",
          "PriorityClass",
          "CrossNamespacePodAffinity",
          "VolumeAttributesClass");

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    for (Value amount : spec.get("hard")) {
      ResourceRules.validateResourceQuotaResourceName(amount, amount.name());
      ResourceRules.validateResourceQuantityValue(amount);
    }
    Value scopes = spec.get("scopes");
    // each shows the whole list, and the same cause is told once
    Set<String> seen = new HashSet<>();
    for (Value scope : scopes) {
      if (seen.add(SCOPES.contains(scope.text()) ? scope.text() : "")) {
        if (!SCOPES.contains(scope.text())) {
          scopes.invalid("unsupported scope");
        }
        fits(scope.text(), spec.get("hard"), scopes, scopes);
      }
    }
    conflict(scopes, scopes, "BestEffort", "NotBestEffort");
    conflict(scopes, scopes, "Terminating", "NotTerminating");
    Value selector = spec.get("scopeSelector");
    Value expressions = selector.get("matchExpressions");
    List<Node> named = new ArrayList<>();
    for (Value each : expressions) {
      scopeName(expressions.get("scopeName").holding(each.get("scopeName").node()));
      fits(each.get("scopeName").text(), spec.get("hard"), selector, expressions);
      selector(each, expressions);
      named.add(Node.text(each.get("scopeName").text()));
    }
    // Kubernetes shows the other list of scopes
    Value ofSelector = expressions.holding(new Node.Items(named));
    conflict(ofSelector, scopes, "BestEffort", "NotBestEffort");
    conflict(ofSelector, scopes, "Terminating", "NotTerminating");
  }

  private static void scopeName(Value scope) {
    if (!SCOPES.contains(scope.text())) {
      scope.orEmpty().invalid("unsupported scope");
    }
  }

  private static void conflict(Value scopes, Value shown, String one, String other) {
    if (scopes.contains(one) && scopes.contains(other)) {
      shown.invalidAt(scopes, "conflicting scopes");
    }
  }

  /** Scopes are for what pods ask for; the best effort one only for their number. */
  private static void fits(String scope, Value hard, Value shown, Value shownAt) {
    if (!SCOPES.contains(scope)) {
      return;
    }
    for (Value amount : hard) {
      String name = amount.name();
      boolean fits =
          switch (scope) {
            case "VolumeAttributesClass" ->
                name.equals("persistentvolumeclaims") || name.equals("requests.storage");
            case "BestEffort" -> name.equals("pods");
            default -> name.equals("pods") || COMPUTE.contains(name);
          };
      if (ResourceRules.isStandardQuotaResource(name) && !fits) {
        shown.invalidAt(shownAt, "unsupported scope applied to resource");
        return;
      }
    }
  }

  /** Kubernetes names the list of expressions, not the one. */
  private static void selector(Value each, Value list) {
    Value scope = each.get("scopeName");
    Value operator = list.get("operator").holding(each.get("operator").node());
    if (EXISTING.contains(scope.text()) && !operator.is("Exists")) {
      operator
          .orEmpty()
          .invalid(
              "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating,"
                  + " ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort,"
                  + " ResourceQuotaScopeNotBestEffort or"
                  + " ResourceQuotaScopeCrossNamespacePodAffinity");
    }
    Value values = list.get("values").holding(each.get("values").node());
    switch (each.get("operator").text()) {
      case "In", "NotIn" -> {
        if (values.size() == 0) {
          values.required(
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector");
        }
      }
      case "Exists", "DoesNotExist" -> {
        if (values.size() > 0) {
          values.invalid(
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector");
        }
      }
      default -> operator.orEmpty().invalid("not a valid selector operator");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value scopes = object.get("spec", "scopes");
    if (!new HashSet<>(scopes.items()).equals(new HashSet<>(old.get("spec", "scopes").items()))) {
      scopes.invalid("field is immutable");
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    for (String field : new String[] {"hard", "used"}) {
      for (Value amount : object.get("status", field)) {
        ResourceRules.validateResourceQuotaResourceName(amount, amount.name());
        ResourceRules.validateResourceQuantityValue(amount);
      }
    }
  }

  /** Warns where more may be requested than used. */
  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    Value hard = object.get("spec", "hard");
    for (String resource : new String[] {"cpu", "memory", "storage", "ephemeral-storage"}) {
      Value request = hard.key("requests." + resource);
      boolean bare = resource.equals("cpu") || resource.equals("memory");
      if (request.absent() && bare) {
        request = hard.key(resource);
      }
      Value limit = hard.key("limits." + resource);
      if (request.present() && limit.present() && QuantityRules.greater(request, limit)) {
        warnings.accept(
            "ResourceQuota %s (%s) should be less than %s (%s)"
                .formatted(
                    request.name(),
                    QuantityRules.text(request),
                    limit.name(),
                    QuantityRules.text(limit)));
      }
    }
  }
}
