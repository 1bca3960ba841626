package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * CustomResourceDefinitions of apiextensions.k8s.io/v1beta1: what all versions have alike is beside
 * them, the webhook that converts is in two fields, and much may be left out.
 */
final class DefinitionConversion {

  private static final String COLUMNS = "additionalPrinterColumns";

  private DefinitionConversion() {}

  static MapNode toNew(MapNode old) {
    MapNode root = Edits.edited(old, "spec", spec -> newSpec(completed(spec)));
    if (!root.map("status").items("storedVersions").isEmpty()) {
      return root;
    }
    List<Node> stored = new ArrayList<>(1);
    for (MapNode version : root.map("spec").maps("versions")) {
      if (stored.isEmpty() && version.get("storage") == Bool.TRUE) {
        stored.add(new Text(version.text("name")));
      }
    }
    return stored.isEmpty()
        ? root
        : root.withAt(List.of("status", "storedVersions"), new Items(stored));
  }

  /** The spec with the defaults of the old version. */
  private static MapNode completed(MapNode old) {
    MapNode spec = old;
    if (spec.text("scope").isEmpty()) {
      spec = spec.with("scope", new Text("Namespaced"));
    }
    MapNode names = spec.map("names");
    String kind = names.text("kind");
    if (names.text("singular").isEmpty()) {
      names = names.with("singular", new Text(kind.toLowerCase(Locale.ROOT)));
    }
    if (names.text("listKind").isEmpty() && !kind.isEmpty()) {
      names = names.with("listKind", new Text(kind + "List"));
    }
    spec = spec.with("names", names);
    String version = spec.text("version");
    if (spec.items("versions").isEmpty() && !version.isEmpty()) {
      MapNode only =
          MapNode.of("name", new Text(version))
              .with("served", Bool.TRUE)
              .with("storage", Bool.TRUE);
      spec = spec.with("versions", new Items(List.of(only)));
    }
    return Edits.set(spec, "preserveUnknownFields") == null
        ? spec.with("preserveUnknownFields", Bool.TRUE)
        : spec;
  }

  private static MapNode newSpec(MapNode old) {
    Node schema = Edits.set(old, "validation");
    Node subresources = Edits.set(old, "subresources");
    Node columns = Edits.set(old, COLUMNS);
    Node selectable = Edits.set(old, "selectableFields");
    MapNode spec = old;
    for (String moved :
        List.of("version", "validation", "subresources", COLUMNS, "selectableFields")) {
      spec = spec.without(moved);
    }
    spec =
        Edits.editedItems(
            spec,
            "versions",
            own -> {
              MapNode version = own;
              version = schema == null ? version : version.with("schema", schema);
              version = subresources == null ? version : version.with("subresources", subresources);
              version = columns == null ? version : version.with(COLUMNS, columns);
              version = selectable == null ? version : version.with("selectableFields", selectable);
              return Edits.editedItems(
                  version, COLUMNS, column -> Edits.renamed(column, "JSONPath", "jsonPath"));
            });
    return spec.with("conversion", newConversion(spec.map("conversion")));
  }

  private static MapNode newConversion(MapNode old) {
    if (old.isEmpty()) {
      return MapNode.of("strategy", new Text("None"));
    }
    List<Node> reviews = old.items("conversionReviewVersions");
    if (reviews.isEmpty() && old.text("strategy").equals("Webhook")) {
      reviews = List.of(new Text("v1beta1"));
    }
    Node client = Edits.set(old, "webhookClientConfig");
    MapNode conversion = old.without("webhookClientConfig").without("conversionReviewVersions");
    if (client == null && reviews.isEmpty()) {
      return conversion;
    }
    MapNode webhook = MapNode.of("conversionReviewVersions", new Items(reviews));
    return conversion.with(
        "webhook", client == null ? webhook : webhook.with("clientConfig", withPort(client)));
  }

  private static Node withPort(Node client) {
    return client instanceof MapNode config
        ? Edits.edited(
            config,
            "service",
            service ->
                Edits.set(service, "port") == null
                    ? service.with("port", new Node.Int(443))
                    : service)
        : client;
  }
}
