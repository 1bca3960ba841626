package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Bindings of admission policies. */
record PolicyBindingRules(PolicyRules.Kind kind) implements KindRules {

  private static final List<String> ACTIONS = List.of("Audit", "Deny", "Warn");

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    spec.get("policyName").needed().dnsSubdomain();
    Value param = spec.get("paramRef");
    if (param.present()) {
      validateParamRef(param);
    }
    Value match = spec.get("matchResources");
    switch (kind) {
      case VALIDATING -> {
        if (match.present()) {
          // the name is misspelt in Kubernetes' paths
          MatchRules.validateMatchResources(match.renamed("matchResouces"));
        }
        validateActions(spec.get("validationActions"));
      }
      case MUTATING -> {
        if (match.present()) {
          MatchRules.validateMatchResources(match);
          MatchRules.validateMutatingOperations(match);
        }
      }
    }
  }

  private static void validateParamRef(Value param) {
    Value name = param.get("name");
    Value selector = param.get("selector");
    if (name.filled()) {
      name.as(Formats.PATH_SEGMENT);
      if (selector.present()) {
        name.forbidden("name and selector are mutually exclusive");
      }
    }
    if (selector.present()) {
      Labels.validateLabelSelector(selector);
      if (name.filled()) {
        selector.forbidden("name and selector are mutually exclusive");
      }
    }
    if (!name.filled() && selector.absent()) {
      param.required("one of name or selector must be specified");
    }
    Value action = param.get("parameterNotFoundAction").needed();
    if (action.filled() && !action.is("Deny") && !action.is("Allow")) {
      action.unsupportedInOrder("Deny", "Allow");
    }
  }

  private static void validateActions(Value actions) {
    Set<String> known = new HashSet<>();
    for (Value action : actions) {
      if (!ACTIONS.contains(action.text())) {
        action.unsupported(ACTIONS.toArray(String[]::new));
      }
      if (!known.add(action.text())) {
        action.duplicate();
      }
    }
    if (known.contains("Deny") && known.contains("Warn")) {
      actions.invalid(
          "must not contain both Deny and Warn (repeating the same validation failure information"
              + " in the API response and headers serves no purpose)");
    }
    if (known.isEmpty()) {
      actions.required("at least one validation action is required");
    }
  }
}
