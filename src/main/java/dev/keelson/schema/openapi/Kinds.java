package dev.keelson.schema.openapi;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.Subresource;
import dev.keelson.schema.openapi.operation.TypeNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The kinds of a definition: clients find a kind's schema by this extension. Options and watch
 * events are kinds of every group version.
 */
final class Kinds {

  private static final Comparator<GroupVersionKind> ORDER =
      Comparator.<GroupVersionKind, GroupVersion>comparing(GroupVersion::of)
          .thenComparing(GroupVersionKind::kind);

  /** Of {@code meta/v1}: the types that have a kind, and whether every group version has it. */
  private static final Map<String, Boolean> META =
      Map.of(
          "DeleteOptions", true,
          "WatchEvent", true,
          "Status", false,
          "APIVersions", false,
          "APIGroup", false,
          "APIGroupList", false,
          "APIResourceList", false);

  /** No kinds, for parts of a document that define none. */
  static final Kinds NONE = new Kinds(Map.of(), List.of());

  private final Map<String, Set<GroupVersionKind>> served;
  private final Collection<GroupVersion> versions;

  private Kinds(Map<String, Set<GroupVersionKind>> served, Collection<GroupVersion> versions) {
    this.served = served;
    this.versions = versions;
  }

  /**
   * The kinds for a document of resources.
   *
   * @param definitions built-in ones, which share types
   */
  static Kinds of(List<ResourceDefinition> definitions) {
    Map<String, Set<GroupVersionKind>> served = new HashMap<>();
    Set<GroupVersion> versions = new LinkedHashSet<>();
    for (ResourceDefinition definition : definitions) {
      versions.add(GroupVersion.of(definition.gvr()));
      String name = definition.schema().name();
      GroupVersionKind kind = definition.gvk();
      add(served, name, kind);
      add(served, name + "List", GroupVersion.of(kind).kind(kind.kind() + "List"));
      for (Subresource sub : definition.subresources().values()) {
        add(served, sub.schema().name(), sub.kind());
      }
    }
    return new Kinds(served, versions);
  }

  /** The same for a document of one group version. */
  Kinds only(GroupVersion version) {
    return new Kinds(served, List.of(version));
  }

  private static void add(
      Map<String, Set<GroupVersionKind>> served, String name, GroupVersionKind kind) {
    served.computeIfAbsent(name, key -> new TreeSet<>(ORDER)).add(kind);
  }

  /** The value of the extension for a definition; empty if it is no kind. */
  List<Node> nodes(String definition) {
    List<Node> nodes = new ArrayList<>();
    for (GroupVersionKind kind : of(definition)) {
      nodes.add(node(kind));
    }
    return nodes;
  }

  private Set<GroupVersionKind> of(String definition) {
    String kind =
        definition.startsWith(TypeNames.META) ? definition.substring(TypeNames.META.length()) : "";
    Boolean everywhere = META.get(kind);
    if (everywhere == null) {
      return served.getOrDefault(definition, Set.of());
    }
    Set<GroupVersionKind> kinds = new TreeSet<>(ORDER);
    kinds.add(GroupVersion.CORE_V1.kind(kind));
    if (everywhere) {
      versions.forEach(version -> kinds.add(version.kind(kind)));
    }
    return kinds;
  }

  /** One entry of the extension; operations have it as their only value. */
  static MapNode node(GroupVersionKind kind) {
    return MapNode.builder(3)
        .put("group", Node.text(kind.group()))
        .put("version", Node.text(kind.version()))
        .put("kind", Node.text(kind.kind()))
        .build();
  }
}
