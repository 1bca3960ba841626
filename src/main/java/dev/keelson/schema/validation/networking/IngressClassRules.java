package dev.keelson.schema.validation.networking;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;

/** Ingress classes. */
final class IngressClassRules implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value controller = object.get("spec", "controller");
    if (controller.text().length() > 250) {
      controller.tooLong(250);
    }
    GivenText.validateDomainPath(controller);
    Value parameters = object.get("spec", "parameters");
    if (parameters.absent()) {
      return;
    }
    GivenText.validate(parameters.get("apiGroup"), Formats.DNS_SUBDOMAIN);
    parameters.declared("kind").get("kind").as(Formats.PATH_SEGMENT);
    parameters.declared("name").get("name").as(Formats.PATH_SEGMENT);
    parameters.declared("scope");
    Value namespace = parameters.get("namespace");
    if (parameters.get("scope").is("Namespace")) {
      if (namespace.absent()) {
        namespace.required("`parameters.scope` is set to 'Namespace'");
      } else if (!Names.dnsLabel(namespace.text()).isEmpty()) {
        namespace.invalid(Names.dnsLabel(namespace.text()));
      }
    } else if (parameters.get("scope").is("Cluster") && namespace.present()) {
      namespace.forbidden("`parameters.scope` is set to 'Cluster'");
    }
  }

  @Override
  public boolean validatesUpdateFirst() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("spec", "controller").immutable(old.get("spec", "controller"));
  }
}
