package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Validating and mutating admission policies. */
record PolicyRules(String actions) implements KindRules {
  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value kind = spec.get("paramKind");
    if (kind.present()) {
      kind.get("apiVersion").needed();
      kind.get("kind").needed();
    }
    Value match = spec.get("matchConstraints");
    if (match.absent()) {
      match.required();
    } else {
      MatchRules.validateMatchResources(match, true);
    }
    MatchRules.validateMatchConditions(spec.get("matchConditions"));
    Value does = spec.get(actions);
    if (does.size() == 0 && spec.get("auditAnnotations").size() == 0) {
      does.required(
          actions.equals("validations")
              ? "validations or auditAnnotations must contain at least one item"
              : "mutations must contain at least one item");
    }
    for (Value variable : spec.get("variables")) {
      variable.get("name").as(Formats.C_IDENTIFIER);
    }
    spec.get("variables").uniqueBy("name");
    for (Value each : spec.get("auditAnnotations")) {
      each.get("key").qualifiedName();
    }
    spec.get("auditAnnotations").uniqueBy("key");
    if (actions.equals("mutations")) {
      for (Value mutation : does) {
        mutation(mutation);
      }
      spec.get("reinvocationPolicy").needed();
    }
  }

  private static void mutation(Value mutation) {
    String wanted =
        switch (mutation.get("patchType").text()) {
          case "ApplyConfiguration" -> "applyConfiguration";
          case "JSONPatch" -> "jsonPatch";
          default -> "";
        };
    if (wanted.isEmpty()) {
      if (!mutation.get("patchType").filled()) {
        mutation.get("patchType").required();
      }
    } else if (mutation.get(wanted).absent()) {
      mutation
          .get(wanted)
          .required("must be specified when patchType is " + mutation.get("patchType").text());
    } else {
      mutation.get(wanted, "expression").needed("expression is not specified");
    }
  }
}
