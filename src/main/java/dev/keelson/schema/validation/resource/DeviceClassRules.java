package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.ResourceRules;

/**
 * Device classes. What an update leaves as it is stored is not compiled again.
 *
 * @param selectors the rules of device selectors
 */
record DeviceClassRules(SelectorRules selectors) implements KindRules {

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.NEVER;
  }

  @Override
  public void validateCreate(Value object) {
    Value spec = object.get("spec");
    selectors.validate(spec.get("selectors"));
    config(spec.get("config"), /* limited= */ true);
    extendedResource(spec.get("extendedResourceName"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    Value spec = object.get("spec");
    if (!spec.get("selectors").sameAs(old.get("spec", "selectors"))) {
      selectors.validate(spec.get("selectors"));
    }
    Value config = spec.get("config");
    config(config, !config.sameAs(old.get("spec", "config")));
    extendedResource(spec.get("extendedResourceName"));
  }

  private static void config(Value config, boolean limited) {
    if (ConfigurationRules.hasValidSize(config)) {
      for (Value each : config) {
        ConfigurationRules.validate(each, limited);
      }
    }
  }

  private static void extendedResource(Value name) {
    if (name.present() && !ResourceRules.isExtendedResourceName(name.text())) {
      name.invalid("must be a valid extended resource name");
    }
  }
}
