package dev.keelson.schema.validation.resource;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;
import java.util.function.UnaryOperator;

/** The kinds of resource.k8s.io. */
public final class ResourceKinds {

  private static final String GROUP = "resource.k8s.io";

  private ResourceKinds() {}

  /**
   * The rules by stored kind; immutable.
   *
   * @param selectors compiles the CEL expression of a device selector and returns the problem with
   *     it, empty if there is none
   */
  public static Map<GroupKind, KindRules> rules(UnaryOperator<String> selectors) {
    SelectorRules expressions = new SelectorRules(selectors);
    DeviceClaimRules claims = new DeviceClaimRules(expressions);
    return Map.of(
        new GroupKind(GROUP, "ResourceClaim"), new ResourceClaimRules(claims),
        new GroupKind(GROUP, "ResourceClaimTemplate"), new ResourceClaimTemplateRules(claims),
        new GroupKind(GROUP, "DeviceClass"), new DeviceClassRules(expressions),
        new GroupKind(GROUP, "ResourceSlice"), new ResourceSliceRules());
  }
}
