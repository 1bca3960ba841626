package dev.keelson.schema.validation.resource;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of resource.k8s.io. */
public final class ResourceKinds {

  private static final String GROUP = "resource.k8s.io";

  private ResourceKinds() {}

  /**
   * The rules by stored kind; immutable.
   *
   * @param selectors checks the CEL expressions of device selectors
   */
  public static Map<GroupKind, KindRules> rules(DeviceExpressions selectors) {
    SelectorRules expressions = new SelectorRules(selectors);
    DeviceClaimRules claims = new DeviceClaimRules(expressions);
    return Map.of(
        new GroupKind(GROUP, "ResourceClaim"), new ResourceClaimRules(claims),
        new GroupKind(GROUP, "ResourceClaimTemplate"), new ResourceClaimTemplateRules(claims),
        new GroupKind(GROUP, "DeviceClass"), new DeviceClassRules(expressions),
        new GroupKind(GROUP, "ResourceSlice"), new ResourceSliceRules());
  }
}
