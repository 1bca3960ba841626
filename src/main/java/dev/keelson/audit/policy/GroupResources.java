package dev.keelson.audit.policy;

import java.util.List;

/**
 * Resources of a group.
 *
 * @param group the group, empty for the core group, or {@code *} for all groups
 * @param resources {@code pods}, {@code pods/log}, {@code pods/*}, {@code *}{@code /status} or
 *     {@code *}; none stands for all
 * @param resourceNames names of objects; none stands for all
 */
record GroupResources(String group, List<String> resources, List<String> resourceNames) {

  /** The group that stands for all groups. */
  static final String ALL_GROUPS = "*";

  GroupResources {
    resources = List.copyOf(resources);
    resourceNames = List.copyOf(resourceNames);
  }

  /** Whether the resource is among them, whatever the object's name. */
  boolean matches(String otherGroup, String resource, String subresource) {
    if (!group.equals(ALL_GROUPS) && !group.equals(otherGroup)) {
      return false;
    }
    if (resources.isEmpty()) {
      return true;
    }
    String combined = subresource.isEmpty() ? resource : resource + '/' + subresource;
    for (String each : resources) {
      boolean all = each.equals("*") || each.equals(combined);
      boolean sameSubresource =
          !subresource.isEmpty() && each.startsWith("*/") && each.substring(2).equals(subresource);
      boolean sameResource =
          each.endsWith("/*") && each.substring(0, each.length() - 2).equals(resource);
      if (all || sameSubresource || sameResource) {
        return true;
      }
    }
    return false;
  }
}
