package dev.keelson.schema.validation.admissionregistration;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Bindings of admission policies. */
record PolicyBindingRules(boolean validating) implements KindRules {
  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value policy = spec.get("policyName").needed();
    policy.dnsSubdomain();
    Value param = spec.get("paramRef");
    if (param.present()) {
      boolean named = param.get("name").filled();
      boolean selected = param.get("selector").present();
      if (named && selected) {
        param.get("name").forbidden("name and selector are mutually exclusive");
      } else if (!named && !selected) {
        param.required("one of name or selector must be specified");
      }
      param.get("parameterNotFoundAction").needed();
    }
    MatchRules.validateMatchResources(spec.get("matchResources"), false);
    if (validating) {
      Value actions = spec.get("validationActions");
      if (actions.contains("Deny") && actions.contains("Warn")) {
        actions.invalid(
            "must not contain both Deny and Warn (repeating the same validation failure"
                + " information in the API response and headers serves no purpose)");
      }
      actions.unique();
    }
  }
}
