package dev.keelson.controller.customresource;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * The names of a custom resource, requested in {@code spec.names} or accepted in {@code
 * status.acceptedNames}. Absent names are empty.
 */
record DefinitionNames(
    String plural,
    String singular,
    List<String> shortNames,
    String kind,
    String listKind,
    List<String> categories) {

  DefinitionNames {
    shortNames = List.copyOf(shortNames);
    categories = List.copyOf(categories);
  }

  static DefinitionNames of(MapNode names) {
    return new DefinitionNames(
        names.text("plural"),
        names.text("singular"),
        texts(names, "shortNames"),
        names.text("kind"),
        names.text("listKind"),
        texts(names, "categories"));
  }

  private static List<String> texts(MapNode names, String field) {
    return names.items(field).stream()
        .filter(Node.Text.class::isInstance)
        .map(text -> ((Node.Text) text).value())
        .toList();
  }

  /** The names as a field of the definition; {@code plural} and {@code kind} are always there. */
  MapNode node() {
    MapNode.Builder names = MapNode.builder(6);
    names.put("plural", Node.text(plural));
    if (!singular.isEmpty()) {
      names.put("singular", Node.text(singular));
    }
    if (!shortNames.isEmpty()) {
      names.put("shortNames", Node.texts(shortNames));
    }
    names.put("kind", Node.text(kind));
    if (!listKind.isEmpty()) {
      names.put("listKind", Node.text(listKind));
    }
    if (!categories.isEmpty()) {
      names.put("categories", Node.texts(categories));
    }
    return names.build();
  }
}
