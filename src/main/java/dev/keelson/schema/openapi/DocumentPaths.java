package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.ResourceCatalog.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The paths of each document: v2 has all of them, v3 a document for each group version and each
 * root.
 *
 * @param types where the shapes come from
 * @param descriptions what is said of parameters
 */
record DocumentPaths(MetaTypes types, Descriptions descriptions) {

  /**
   * A document of v3.
   *
   * @param version the group version whose resources it has; of a root, the core version
   * @param root whether it is discovery, which changes with any part of the catalog
   * @param items its paths
   */
  record Part(GroupVersion version, boolean root, Supplier<List<PathItem>> items) {}

  /** The documents of v3 by name, which is also their path below {@code /openapi/v3/}. */
  Map<String, Part> parts(Snapshot catalog) {
    RootPaths roots = new RootPaths(types);
    Map<String, Part> parts = new TreeMap<>();
    parts.put("api", root(roots.core()));
    parts.put("apis", root(roots.groups()));
    parts.put("version", root(roots.version()));
    parts.put(".well-known/openid-configuration", root(roots.issuer()));
    parts.put("openid/v1/jwks", root(roots.issuerKeys()));
    for (GroupVersion version : catalog.groupVersions()) {
      if (!version.group().isEmpty()) {
        parts.computeIfAbsent(
            "apis/" + version.group(), name -> root(roots.group(version.group())));
      }
      parts.put(
          ResourcePaths.base(version).substring(1),
          new Part(version, /* root= */ false, () -> resources(catalog, roots, version)));
    }
    return parts;
  }

  /** Every path. */
  List<PathItem> all(Snapshot catalog) {
    List<PathItem> all = new ArrayList<>();
    parts(catalog).values().forEach(part -> all.addAll(part.items().get()));
    return all;
  }

  private static Part root(PathItem item) {
    return new Part(GroupVersion.CORE_V1, /* root= */ true, () -> List.of(item));
  }

  private List<PathItem> resources(Snapshot catalog, RootPaths roots, GroupVersion version) {
    List<PathItem> items = new ArrayList<>();
    items.add(roots.resources(version));
    catalog
        .resources(version)
        .forEach(definition -> items.addAll(ResourcePaths.of(types, descriptions, definition)));
    return items;
  }
}
