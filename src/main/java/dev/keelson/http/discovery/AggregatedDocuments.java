package dev.keelson.http.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.Subresource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Aggregated discovery: the APIGroupDiscoveryList of {@code apidiscovery.k8s.io} (KEP-3352). */
final class AggregatedDocuments {

  private AggregatedDocuments() {}

  /** The core group, which has no name. */
  static MapNode core(ResourceCatalog.Snapshot catalog, DiscoveryFormat format) {
    return list(catalog, RemoteGroups.NONE, format, Map.of("", ApiGroups.core(catalog)));
  }

  /** Every other group. */
  static MapNode named(
      ResourceCatalog.Snapshot catalog,
      RemoteGroups remotes,
      Map<String, List<GroupVersion>> groups,
      DiscoveryFormat format) {
    return list(catalog, remotes, format, groups);
  }

  private static MapNode list(
      ResourceCatalog.Snapshot catalog,
      RemoteGroups remotes,
      DiscoveryFormat format,
      Map<String, List<GroupVersion>> groups) {
    List<Node> items = new ArrayList<>(groups.size());
    groups.forEach((name, versions) -> items.add(group(catalog, remotes, name, versions)));
    return MapNode.builder(4)
        .put("kind", Node.text("APIGroupDiscoveryList"))
        .put("apiVersion", Node.text("apidiscovery.k8s.io/" + format.version()))
        .put("metadata", MapNode.EMPTY)
        .put("items", new Items(items))
        .build();
  }

  private static MapNode group(
      ResourceCatalog.Snapshot catalog,
      RemoteGroups remotes,
      String name,
      List<GroupVersion> versions) {
    List<Node> items = new ArrayList<>(versions.size());
    for (GroupVersion version : versions) {
      items.add(remotes.discovery(version).orElseGet(() -> version(catalog, version)));
    }
    return MapNode.builder(2)
        .put("metadata", name.isEmpty() ? MapNode.EMPTY : MapNode.of("name", Node.text(name)))
        .put("versions", new Items(items))
        .build();
  }

  private static MapNode version(ResourceCatalog.Snapshot catalog, GroupVersion version) {
    List<Node> resources = new ArrayList<>();
    for (ResourceDefinition definition : ApiGroups.resources(catalog, version)) {
      resources.add(resource(definition));
    }
    return MapNode.builder(3)
        .put("version", Node.text(version.version()))
        .put("resources", new Items(resources))
        .put("freshness", Node.text("Current"))
        .build();
  }

  private static MapNode resource(ResourceDefinition definition) {
    MapNode.Builder resource =
        MapNode.builder(8)
            .put("resource", Node.text(definition.gvr().resource()))
            .put("responseKind", responseKind(definition, definition.gvk()))
            .put("scope", Node.text(definition.namespaced() ? "Namespaced" : "Cluster"))
            .put("singularResource", Node.text(definition.singular()))
            .put("verbs", ApiGroups.verbs(definition));
    putUnlessEmpty(resource, "shortNames", definition.shortNames());
    putUnlessEmpty(resource, "categories", definition.categories());
    List<Node> subresources = new ArrayList<>();
    for (Subresource sub : ApiGroups.subresources(definition)) {
      subresources.add(
          MapNode.builder(3)
              .put("subresource", Node.text(sub.name()))
              .put("responseKind", responseKind(definition, sub.kind()))
              .put("verbs", ApiGroups.verbs(sub.verbs()))
              .build());
    }
    if (!subresources.isEmpty()) {
      resource.put("subresources", new Items(subresources));
    }
    return resource.build();
  }

  /** Group and version are empty where they are those of a built-in resource. */
  private static MapNode responseKind(ResourceDefinition definition, GroupVersionKind kind) {
    boolean own =
        definition.custom() == null
            && GroupVersion.of(kind).equals(GroupVersion.of(definition.gvr()));
    return MapNode.builder(3)
        .put("group", Node.text(own ? "" : kind.group()))
        .put("version", Node.text(own ? "" : kind.version()))
        .put("kind", Node.text(kind.kind()))
        .build();
  }

  private static void putUnlessEmpty(
      MapNode.Builder builder, String key, Collection<String> values) {
    if (!values.isEmpty()) {
      builder.put(key, Node.texts(List.copyOf(values)));
    }
  }
}
