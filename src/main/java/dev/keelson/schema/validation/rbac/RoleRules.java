package dev.keelson.schema.validation.rbac;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;

/** Roles and cluster roles. */
record RoleRules(boolean namespaced) implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    for (Value rule : object.get("rules")) {
      rule(rule);
    }
    Value aggregation = object.get("aggregationRule");
    if (aggregation.present()) {
      Value selectors = aggregation.get("clusterRoleSelectors");
      if (selectors.size() == 0) {
        selectors.required(
            "at least one clusterRoleSelector required if aggregationRule is non-nil");
      }
      for (Value selector : selectors) {
        int before = selector.causeCount();
        Labels.validateLabelSelector(selector);
        if (selector.causeCount() > before) {
          // Kubernetes shows the result of reading the selector, which is none
          selector.invalidNull("invalid label selector.");
        }
      }
    }
  }

  @Override
  public boolean validatesUpdateTwice() {
    return true;
  }

  private void rule(Value rule) {
    Value urls = rule.declared("verbs").get("nonResourceURLs");
    if (urls.size() > 0) {
      if (namespaced) {
        urls.invalid("namespaced rules cannot apply to non-resource URLs");
      }
      if (rule.get("apiGroups").size() > 0
          || rule.get("resources").size() > 0
          || rule.get("resourceNames").size() > 0) {
        urls.invalid("rules cannot apply to both regular resources and non-resource URLs");
      }
      return;
    }
    rule.get("apiGroups").needed("resource rules must supply at least one api group");
    rule.get("resources").needed("resource rules must supply at least one resource");
  }
}
