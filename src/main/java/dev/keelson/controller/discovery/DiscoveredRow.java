package dev.keelson.controller.discovery;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Verb;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.ResourceRow;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Scope;
import dev.keelson.schema.StoredType;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Makes the definition of a resource from its entry in aggregated discovery. */
final class DiscoveredRow {

  private DiscoveredRow() {}

  /** A definition; without a stored type if objects cannot be listed and deleted. */
  static ResourceDefinition of(GroupVersion version, MapNode resource) {
    String plural = resource.text("resource");
    String kind = resource.map("responseKind").text("kind");
    Set<Verb> verbs = verbs(resource);
    ResourceRow row =
        new ResourceRow(
            version,
            plural,
            kind,
            resource.text("scope").equals("Cluster") ? Scope.CLUSTER : Scope.NAMESPACED,
            verbs);
    return verbs.containsAll(EnumSet.of(Verb.LIST, Verb.DELETE))
        ? row.keys(place(version.group(), plural)).definition(new Untyped())
        : row.virtual().definition(new Untyped());
  }

  private static Set<Verb> verbs(MapNode resource) {
    List<String> words =
        resource.items("verbs").stream()
            .filter(Node.Text.class::isInstance)
            .map(word -> ((Node.Text) word).value())
            .toList();
    EnumSet<Verb> verbs = EnumSet.noneOf(Verb.class);
    // other verbs, such as impersonate, are of no use here
    Arrays.stream(Verb.values()).filter(verb -> words.contains(verb.word())).forEach(verbs::add);
    return verbs;
  }

  /** One place for all versions of a resource, and for its names in old groups. */
  private static String place(String group, String plural) {
    if (group.equals("extensions")) {
      return (plural.equals("ingresses") ? "networking.k8s.io/" : "apps/") + plural;
    }
    return (group.equals("events.k8s.io") ? "" : group) + "/" + plural;
  }

  /** Types without fields. */
  private static final class Untyped implements ResourceRow.Types {

    @Override
    public StructSchema schema(GroupVersionKind kind) {
      return new StructSchema(
          kind.group() + "." + kind.version() + "." + kind.kind(),
          /* atomic= */ false,
          /* openToUnknown= */ true,
          List::of);
    }

    @Override
    public StoredType stored(String keyPrefix, GroupVersionKind kind) {
      return new StoredType(keyPrefix, kind, schema(kind));
    }
  }
}
