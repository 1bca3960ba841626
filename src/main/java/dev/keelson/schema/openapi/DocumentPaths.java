package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.openapi.operation.MetaTypes;
import dev.keelson.schema.openapi.operation.PathItem;
import dev.keelson.schema.openapi.operation.ResourcePaths;
import dev.keelson.schema.openapi.operation.RootPaths;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The paths of each document: v2 has all of them, v3 a document for each group version and each
 * root. Those of custom resources are written apart.
 *
 * @param types where the shapes come from
 * @param descriptions what is said of parameters
 */
record DocumentPaths(MetaTypes types, Descriptions descriptions) {

  /**
   * A document of v3.
   *
   * @param version the group version whose resources it has; of a root, the core version
   * @param root whether it is discovery, which depends on its name alone
   * @param custom whether it is there because of custom resources
   * @param items its paths, without those of custom resources
   */
  record Part(GroupVersion version, boolean root, boolean custom, Supplier<List<PathItem>> items) {}

  /** The documents of v3 by name, which is also their path below {@code /openapi/v3/}. */
  Map<String, Part> parts(Snapshot catalog) {
    RootPaths roots = new RootPaths(types);
    Map<String, Part> parts = new TreeMap<>();
    parts.put("api", root(roots.core()));
    parts.put("apis", root(roots.groups()));
    parts.put("version", root(roots.version()));
    parts.put(".well-known/openid-configuration", root(roots.issuer()));
    parts.put("openid/v1/jwks", root(roots.issuerKeys()));
    Set<String> builtInGroups = new HashSet<>();
    for (GroupVersion version : catalog.groupVersions()) {
      boolean custom = isCustom(catalog.resources(version).getFirst());
      if (!custom) {
        builtInGroups.add(version.group());
      }
      parts.put(
          ResourcePaths.base(version).substring(1),
          new Part(version, /* root= */ false, custom, () -> resources(catalog, roots, version)));
    }
    for (GroupVersion version : catalog.groupVersions()) {
      String group = version.group();
      if (!group.isEmpty()) {
        parts.computeIfAbsent(
            "apis/" + group,
            name ->
                new Part(
                    GroupVersion.CORE_V1,
                    /* root= */ true,
                    !builtInGroups.contains(group),
                    () -> List.of(roots.group(group))));
      }
    }
    return parts;
  }

  private static Part root(PathItem item) {
    return new Part(
        GroupVersion.CORE_V1, /* root= */ true, /* custom= */ false, () -> List.of(item));
  }

  private List<PathItem> resources(Snapshot catalog, RootPaths roots, GroupVersion version) {
    List<PathItem> items = new ArrayList<>();
    items.add(roots.resources(version));
    catalog.resources(version).stream()
        .filter(definition -> !isCustom(definition))
        .forEach(definition -> items.addAll(ResourcePaths.of(types, descriptions, definition)));
    return items;
  }

  static boolean isCustom(ResourceDefinition definition) {
    return definition.custom() != null;
  }
}
